import { useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { arrivalMessage, type SettingsMessage } from './messages.ts'

/** One message at a time, the newest. The first may come with the address, which is then cleaned. */
export function useSettingsMessage() {
  const [query, setQuery] = useSearchParams()
  const [message, setMessage] = useState<(SettingsMessage & { id: number }) | null>(() =>
    numbered(arrivalMessage(query)),
  )

  useEffect(() => {
    if (query.size > 0) setQuery({}, { replace: true })
  }, [query, setQuery])

  const tell = useCallback((next: SettingsMessage) => setMessage(numbered(next)), [])
  const dismiss = useCallback(() => setMessage(null), [])
  return { message, tell, dismiss }
}

let last = 0

/** The same words twice are two messages: the second starts its own time. */
function numbered(message: SettingsMessage | null) {
  last += 1
  return message && { ...message, id: last }
}
