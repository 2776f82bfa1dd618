import { Button } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { MessageBody, type MessageContent, usePausableTimeout } from '../banner.tsx'
import classes from './toasts.module.css'

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

interface ToastContent extends MessageContent {
  /** Takes back what the toast tells; offered as a button, and then for longer. */
  undo?: () => void
}

export type Toast = ToastContent & { id: number }

const AT_MOST = 3

/** The newest three; an older one makes room. */
export function withToast(toasts: readonly Toast[], toast: Toast): Toast[] {
  return [...toasts, toast].slice(-AT_MOST)
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  snapshot: () => toasts,
}

export function showToast(content: ToastContent): void {
  lastId += 1
  change(withToast(toasts, { ...content, id: lastId }))
}

export function dismissToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

/** Takes back what the newest toast with an Undo tells. False when none is shown. */
export function undoNewest(): boolean {
  const toast = toasts.findLast(({ undo }) => undo !== undefined)
  if (!toast) return false
  dismissToast(toast.id)
  toast.undo?.()
  return true
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
