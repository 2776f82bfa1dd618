import { validateAsset } from '@tradewright/contract/live-trading'
import type { TickerValidation } from '@tradewright/contract/live-trading-fields'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries, useQuery } from '@tanstack/react-query'
import { call } from '../../../../lib/http.ts'
import type { DeployForm } from '../draft.ts'
import { isCash, leverageOf } from '../signal-ticker.ts'

const TYPING_MS = 300

/** The account's rules for this ticker; undefined until they are known. A call that fails counts as invalid. */
export function useTickerValidation(accountId: string, signal: string, typed: string): TickerValidation | undefined {
  const [ticker] = useDebouncedValue(typed.trim(), TYPING_MS)
  const { data } = useQuery(validationQuery(accountId, signal, ticker))
  return ticker === typed.trim() ? data : undefined
}

/** The same for all tickers of the form: whether each is known to be tradable at a fresh price, and whether one is not. */
export function useMappingValidation({ accountId, tickerMapping }: Pick<DeployForm, 'accountId' | 'tickerMapping'>) {
  // As text, because the form makes the mapping anew with every render.
  const typed = JSON.stringify(Object.entries(tickerMapping).filter(([signal]) => !isCash(signal)))
  const [settled] = useDebouncedValue(typed, TYPING_MS)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written two lines above
  const traded = JSON.parse(settled) as [signal: string, ticker: string][]
  const verdicts = useQueries({
    queries: traded.map(([signal, ticker]) => validationQuery(accountId, signal, ticker.trim())),
  }).map(({ data }) => data)
  const isFine = (verdict: TickerValidation) => verdict.valid && !verdict.is_price_old
  return {
    isValid: settled === typed && verdicts.every((verdict) => verdict && isFine(verdict)),
    hasProblem: verdicts.some((verdict) => verdict && !isFine(verdict)),
  }
}

function validationQuery(accountId: string, signal: string, ticker: string) {
  const leverage = leverageOf(signal)
  return {
    queryKey: ['ticker validation', accountId, signal, ticker],
    queryFn: async ({ signal: abort }: { signal: AbortSignal }) => {
      try {
        const body = { ticker, leverage, account_id: accountId, signal_ticker: signal }
        return (await call(validateAsset, { body, signal: abort })).validation
      } catch (error) {
        if (abort.aborted) throw error
        return failedValidation(ticker, leverage)
      }
    },
    enabled: accountId !== '' && ticker !== '',
  }
}

export const failedValidation = (ticker: string, leverage: number): TickerValidation => ({
  valid: false,
  error: 'Validation failed',
  warning: null,
  is_price_old: false,
  max_leverage: 1,
  requested_leverage: leverage,
  trading_ticker: ticker,
})
