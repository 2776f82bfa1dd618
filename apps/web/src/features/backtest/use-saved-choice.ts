import { useCallback, useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

export interface SavedChoice {
  strategyId: string
  backtestId: string
}

/**
 * Which saved strategy, and which saved backtest or recent run are chosen. It lives in the address, so a link leads to the
 * same place.
 */
export function useSavedChoice() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const strategyId = query.get('strategy_id') ?? ''
  const backtestId = query.get('backtest_id') ?? ''
  const choice = useMemo(() => ({ strategyId, backtestId }), [strategyId, backtestId])
  const setChoice = useCallback(
    (next: SavedChoice, options?: ChoiceOptions) => {
      // As it is now: a run takes a while, and tabs may have been changed meanwhile.
      const search = queryOf(window.location.search, next, options)
      void navigate({ search }, { replace: true, preventScrollReset: true })
    },
    [navigate],
  )
  return [choice, setChoice] as const
}

interface ChoiceOptions {
  /** The result is one of the portfolios side by side, or the way back to them. */
  isOfPortfolios?: boolean
}

export type SetChoice = (choice: SavedChoice, options?: ChoiceOptions) => void

/** The rest of the query stays, but for what belongs to another result. */
export function queryOf(
  before: string,
  { strategyId, backtestId }: SavedChoice,
  { isOfPortfolios = false }: ChoiceOptions = {},
): string {
  const query = new URLSearchParams(before)
  if (!isOfPortfolios) for (const name of ['portfolios', 'benchmark']) query.delete(name)
  if ((query.get('backtest_id') ?? '') !== backtestId) {
    query.delete('window')
    query.delete('section')
  }
  query.delete('example')
  for (const [name, id] of Object.entries({ strategy_id: strategyId, backtest_id: backtestId })) {
    if (id) query.set(name, id)
    else query.delete(name)
  }
  return query.toString()
}
