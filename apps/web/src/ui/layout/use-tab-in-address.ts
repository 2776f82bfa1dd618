import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** The tab on show lives in the address as `?tab=`, so that a reload or a link leads to it; the first one needs no word. */
export function useTabInAddress<Name extends string>(names: readonly [Name, ...Name[]]) {
  const [query, setQuery] = useSearchParams()
  const [first] = names
  const asked = query.get('tab')
  const tab = names.find((name) => name === asked) ?? first
  const setTab = useCallback(
    (next: Name) =>
      setQuery(
        (before) => {
          const changed = new URLSearchParams(before)
          if (next === first) changed.delete('tab')
          else changed.set('tab', next)
          return changed
        },
        { replace: true, preventScrollReset: true },
      ),
    [setQuery, first],
  )
  return [tab, setTab] as const
}
