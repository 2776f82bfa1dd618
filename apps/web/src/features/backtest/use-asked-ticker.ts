import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { refusalOf } from '../../strategy-form/tickers/ticker-text.ts'

/** Other screens lead here with `?ticker=`: read once, then out of the address. Null without one, or for no ticker. */
export function useAskedTicker(): string | null {
  const [query, setQuery] = useSearchParams()
  const [asked] = useState(() => query.get('ticker')?.trim().toUpperCase())
  const isInAddress = query.has('ticker')
  useEffect(() => {
    if (isInAddress) setQuery({}, { replace: true })
  }, [isInAddress, setQuery])
  return asked && refusalOf(asked) === undefined ? asked : null
}
