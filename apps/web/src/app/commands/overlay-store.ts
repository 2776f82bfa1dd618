import { useSyncExternalStore } from 'react'

type Overlay = 'palette' | 'shortcuts'

let opened: Overlay | null = null
let typedAhead = ''
const listeners = new Set<() => void>()

/** Opens the command palette or the sheet of shortcuts, over any screen; null closes it. */
export function openOverlay(next: Overlay | null): void {
  opened = next
  typedAhead = ''
  for (const listener of listeners) listener()
}

/** What was typed before the palette was there: its code is fetched when it is first opened. */
export const textTypedAhead = (): string => typedAhead
export function typeAhead(character: string): void {
  typedAhead += character
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
