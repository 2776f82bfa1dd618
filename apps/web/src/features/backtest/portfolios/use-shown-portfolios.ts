import { useCallback, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { PortfolioShown } from './portfolio-results.tsx'

/**
 * The portfolios of the last press. Those with a result are in the address (`portfolios=12,13&benchmark=14`), so that a
 * reload and a link show them again; why others have none is known to this page only.
 */
export function useShownPortfolios() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const [last, setLast] = useState<readonly PortfolioShown[] | null>(null)
  const addressed = fromQuery(query)
  const isSame = last !== null && idsOf(last) === idsOf(addressed)
  const setPortfolios = useCallback(
    (next: readonly PortfolioShown[]) => {
      setLast(next)
      // As it is now: a run takes a while, and tabs may have been changed meanwhile.
      void navigate({ search: toQuery(window.location.search, next) }, { replace: true, preventScrollReset: true })
    },
    [navigate],
  )
  return [isSame ? last : addressed, setPortfolios] as const
}

export const idsOf = (portfolios: readonly PortfolioShown[]): string =>
  portfolios.flatMap((one) => ('id' in one ? [`${one.id} ${one.isBenchmark}`] : [])).join()

export function fromQuery(query: URLSearchParams): PortfolioShown[] {
  const read = (name: string, isBenchmark: boolean) =>
    (query.get(name) ?? '')
      .split(',')
      .filter((id) => /^[1-9]\d{0,8}$/.test(id))
      .map((id) => ({ id: Number(id), isBenchmark }))
  return [...read('portfolios', false), ...read('benchmark', true).slice(0, 1)]
}

/** The rest of the query stays, but for the result of another run. */
export function toQuery(before: string, portfolios: readonly PortfolioShown[]): string {
  const query = new URLSearchParams(before)
  const idsWhere = (isBenchmark: boolean) =>
    portfolios.flatMap((one) => ('id' in one && one.isBenchmark === isBenchmark ? [one.id] : [])).join(',')
  for (const [name, ids] of [
    ['portfolios', idsWhere(false)],
    ['benchmark', idsWhere(true)],
  ] as const) {
    if (ids) query.set(name, ids)
    else query.delete(name)
  }
  if (portfolios.length > 0) for (const name of ['strategy_id', 'backtest_id', 'window', 'example']) query.delete(name)
  return query.toString()
}
