import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/**
 * The tab on show lives in the address as `?tab=`, so that a reload or a link leads to it; the first one needs no word. Each
 * is a step of its own for Back, but for one that the page itself puts in the place of another.
 */
export function useTabInAddress<Name extends string>(names: readonly [Name, ...Name[]]) {
  const [query, setQuery] = useSearchParams()
  const [first] = names
  const asked = query.get('tab')
  const tab = names.find((name) => name === asked) ?? first
  const setTab = useCallback(
    (next: Name, { replace = false } = {}) => {
      // As it is now: other parts of the page write to the address, too.
      const changed = new URLSearchParams(window.location.search)
      if ((changed.get('tab') ?? first) === next) return
      if (next === first) changed.delete('tab')
      else changed.set('tab', next)
      setQuery(changed, { replace, preventScrollReset: true })
    },
    [setQuery, first],
  )
  return [tab, setTab] as const
}
