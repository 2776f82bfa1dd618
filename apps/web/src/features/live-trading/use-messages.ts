import { useCallback, useState } from 'react'
import type { MessageContent } from '../../ui/feedback/banner.tsx'
import type { Tell } from './messages.ts'

export interface Messages {
  shown: readonly { id: number; content: MessageContent }[]
  tell: Tell
  dismiss: (id: number) => void
}

let last = 0

/** The last messages; they replace those before. */
export function useMessages(): Messages {
  const [shown, setShown] = useState<Messages['shown']>([])
  const tell = useCallback<Tell>((...messages) => {
    setShown(
      messages.map((content) => {
        last += 1
        return { id: last, content }
      }),
    )
  }, [])
  const dismiss = useCallback((id: number) => setShown((before) => before.filter((one) => one.id !== id)), [])
  return { shown, tell, dismiss }
}
