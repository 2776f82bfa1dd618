import { useSyncExternalStore } from 'react'
import { MessageBody } from './message.tsx'
import { dismissToast, type Toast, toastStore } from './toast-store.ts'
import classes from './toasts.module.css'
import { usePausableTimeout } from './use-pausable-timeout.ts'

const SHOWN_MS = 5_000

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

function ToastCard({ toast }: { toast: Toast }) {
  const close = () => dismissToast(toast.id)
  const pause = usePausableTimeout(SHOWN_MS, close)
  return (
    <div className={classes.toast} {...pause}>
      <MessageBody {...toast} onClose={close} />
    </div>
  )
}
