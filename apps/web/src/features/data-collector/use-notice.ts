import { useCallback, useState } from 'react'
import type { MessageContent } from '../../ui/feedback/message.tsx'

export type Notice = Pick<MessageContent, 'text' | 'detail'> & { kind: 'error' | 'success' | 'info' }
export type Tell = (notice: Notice) => void

/** One at a time, the newest. The same words twice are two notices: the second starts its own time. */
export function useNotice() {
  const [notice, setNotice] = useState<(Notice & { id: number }) | null>(null)
  const tell: Tell = useCallback((next) => setNotice((before) => ({ ...next, id: (before?.id ?? 0) + 1 })), [])
  /** With an id, only that notice: its time may end while the next one is on its way to the screen. */
  const dismiss = useCallback(
    (id?: number) => setNotice((now) => (id === undefined || now?.id === id ? null : now)),
    [],
  )
  return { notice, tell, dismiss }
}
