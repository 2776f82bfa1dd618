import { useSyncExternalStore } from 'react'

type Overlay = 'palette' | 'shortcuts'

let opened: Overlay | null = null
const listeners = new Set<() => void>()

/** Opens the command palette or the sheet of shortcuts, over any screen; null closes it. */
export function openOverlay(next: Overlay | null): void {
  opened = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useOverlay = (): Overlay | null => useSyncExternalStore(subscribe, () => opened)

/** Opens an address of the app. `isAnew`: also where its screen is on show, which then begins again. */
export type OpenScreen = (address: string, how?: { isAnew?: boolean }) => void
