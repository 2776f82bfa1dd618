import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

type Tab = 'optimization' | 'leading-indicators'

/** Which tab and which run are on show. It lives in the address, so that a reload or a link leads to the same place. */
export function useTabInAddress() {
  const [query, setQuery] = useSearchParams()
  const change = useCallback(
    (name: string, value: string) =>
      setQuery(
        (before) => {
          const next = new URLSearchParams(before)
          if (value) next.set(name, value)
          else next.delete(name)
          return next
        },
        { replace: true, preventScrollReset: true },
      ),
    [setQuery],
  )
  const tab: Tab = query.get('tab') === 'leading-indicators' ? 'leading-indicators' : 'optimization'
  return {
    tab,
    setTab: (next: Tab) => change('tab', next === 'optimization' ? '' : next),
    runId: query.get('run') ?? '',
    setRunId: (id: string) => change('run', id),
  }
}
