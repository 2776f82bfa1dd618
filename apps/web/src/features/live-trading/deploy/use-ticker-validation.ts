import { validateAsset } from '@tradewright/contract/live-trading'
import type { TickerValidation } from '@tradewright/contract/live-trading-fields'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'
import { leverageOf } from './signal-ticker.ts'

const TYPING_MS = 300

/** The account's rules for this ticker; undefined until they are known. A call that fails counts as invalid. */
export function useTickerValidation(accountId: string, signal: string, typed: string): TickerValidation | undefined {
  const [ticker] = useDebouncedValue(typed.trim(), TYPING_MS)
  const leverage = leverageOf(signal)
  const { data } = useQuery({
    queryKey: ['ticker validation', accountId, signal, ticker],
    queryFn: async ({ signal: abort }) => {
      try {
        const body = { ticker, leverage, account_id: accountId, signal_ticker: signal }
        return (await call(validateAsset, { body, signal: abort })).validation
      } catch (error) {
        if (abort.aborted) throw error
        return failedValidation(ticker, leverage)
      }
    },
    enabled: accountId !== '' && ticker !== '',
  })
  return ticker === typed.trim() ? data : undefined
}

export const failedValidation = (ticker: string, leverage: number): TickerValidation => ({
  valid: false,
  error: 'Validation failed',
  warning: null,
  max_leverage: 1,
  requested_leverage: leverage,
  trading_ticker: ticker,
})
