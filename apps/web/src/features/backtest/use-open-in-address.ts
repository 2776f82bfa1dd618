import { useSearchParams } from 'react-router'

/** What is open in the wide column: one by its id, or the form for a new one. */
export type OpenInAddress = number | 'new' | null

/** It lives in the address under this name, so a link leads there. */
export function useOpenInAddress(name: 'study' | 'construct') {
  const [query, setQuery] = useSearchParams()
  const text = query.get(name)
  const open: OpenInAddress = text === null ? null : /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 'new'
  const setOpen = (next: OpenInAddress) => {
    const changed = new URLSearchParams(window.location.search)
    if (next === null) changed.delete(name)
    else changed.set(name, String(next))
    setQuery(changed, { preventScrollReset: true })
  }
  return [open, setOpen] as const
}
