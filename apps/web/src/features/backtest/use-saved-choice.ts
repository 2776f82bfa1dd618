import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'

export interface SavedChoice {
  strategyId: string
  backtestId: string
}

/** Which saved strategy and backtest are chosen. It lives in the address, so a link leads to the same place. */
export function useSavedChoice() {
  const [query, setQuery] = useSearchParams()
  const strategyId = query.get('strategy_id') ?? ''
  const backtestId = query.get('backtest_id') ?? ''
  const choice = useMemo(() => ({ strategyId, backtestId }), [strategyId, backtestId])
  const setChoice = useCallback(
    (next: SavedChoice) => setQuery(queryOf(next), { replace: true, preventScrollReset: true }),
    [setQuery],
  )
  return [choice, setChoice] as const
}

function queryOf({ strategyId, backtestId }: SavedChoice): Record<string, string> {
  return { ...(strategyId ? { strategy_id: strategyId } : {}), ...(backtestId ? { backtest_id: backtestId } : {}) }
}
