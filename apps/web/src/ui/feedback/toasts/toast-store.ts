import type { MessageContent } from '../message.tsx'

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
