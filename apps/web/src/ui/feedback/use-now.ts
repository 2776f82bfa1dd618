import { useEffect, useState } from 'react'

const INTERVAL_MS = 15_000

/** The time in milliseconds, for words such as "5 minutes ago". */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), INTERVAL_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
