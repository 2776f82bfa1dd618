import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { StudioResult } from '../answer/studio-result.ts'
import type { WindowChoice } from './view.ts'

/** The walk-forward window on show lives in the address; Overall needs no word. */
export function useWindowInAddress({ walk_forward_windows }: StudioResult) {
  const [query, setQuery] = useSearchParams()
  const asked = Number(query.get('window'))
  const isThere = walk_forward_windows?.some(({ window_num }) => window_num === asked) ?? false
  const [choice, choose] = useState<WindowChoice>(isThere ? asked : 'overall')
  const setChoice = (next: WindowChoice) => {
    choose(next)
    setQuery(
      (before) => {
        const changed = new URLSearchParams(before)
        if (next === 'overall') changed.delete('window')
        else changed.set('window', String(next))
        return changed
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return [choice, setChoice] as const
}
