import { Button } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { MessageBody } from '../message.tsx'
import { dismissToast, type Toast, toastStore } from './toast-store.ts'
import classes from './toasts.module.css'
import { usePausableTimeout } from './use-pausable-timeout.ts'

const SHOWN_MS = 5_000
const UNDO_SHOWN_MS = 10_000

/** Where toasts appear; rendered once, by the layout. */
export function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.snapshot)
  return (
    <section className={classes.stack} aria-label="Messages" aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastCard({ toast: { id, undo, ...message } }: { toast: Toast }) {
  const close = () => dismissToast(id)
  const pause = usePausableTimeout(undo ? UNDO_SHOWN_MS : SHOWN_MS, close)
  const takeBack = undo && (
    <Button
      variant="subtle"
      size="compact-sm"
      onClick={() => {
        close()
        undo()
      }}
    >
      Undo
    </Button>
  )
  return (
    <div className={classes.toast} {...pause}>
      <MessageBody {...message} action={takeBack ?? message.action} onClose={close} />
    </div>
  )
}
