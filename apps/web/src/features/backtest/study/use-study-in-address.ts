import { useSearchParams } from 'react-router'

/** Which study is open: one by its id, or the form for a new one. It lives in the address, so a link leads there. */
export type OpenStudy = number | 'new' | null

export function useStudyInAddress() {
  const [query, setQuery] = useSearchParams()
  const text = query.get('study')
  const open: OpenStudy = text === null ? null : /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 'new'
  const setOpen = (next: OpenStudy) => {
    const changed = new URLSearchParams(window.location.search)
    if (next === null) changed.delete('study')
    else changed.set('study', String(next))
    setQuery(changed, { preventScrollReset: true })
  }
  return [open, setOpen] as const
}
