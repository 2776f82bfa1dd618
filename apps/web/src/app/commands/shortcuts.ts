import { useSyncExternalStore } from 'react'
import { NAVIGATION } from '../screens.ts'

/** What a shortcut does; the layer that hears the keys has one function for each. */
export type ShortcutDeed = 'palette' | 'shortcuts' | 'help' | 'undo' | 'run' | 'search' | `open ${string}`

interface Shortcut {
  deed: ShortcutDeed
  label: string
  group: 'Anywhere' | 'On a screen' | 'Go to'
  /** One key together with Ctrl or Cmd, or plain keys one after the other. */
  keys: { mod: string } | readonly [string, ...string[]]
}

/**
 * Every shortcut, once: the keys, the sheet and the palette read them here. None that a browser needs for itself. Those with
 * Ctrl work in a field, too.
 */
export const SHORTCUTS: readonly Shortcut[] = [
  { deed: 'palette', label: 'Search and commands', group: 'Anywhere', keys: { mod: 'k' } },
  { deed: 'shortcuts', label: 'Keyboard shortcuts', group: 'Anywhere', keys: { mod: '/' } },
  { deed: 'help', label: 'Help for this screen', group: 'Anywhere', keys: ['?'] },
  { deed: 'undo', label: 'Undo the last deletion', group: 'Anywhere', keys: ['u'] },
  { deed: 'run', label: 'Run what is set up: backtest or optimizer', group: 'On a screen', keys: { mod: 'Enter' } },
  { deed: 'search', label: 'To the search field', group: 'On a screen', keys: ['/'] },
  ...NAVIGATION.map(({ path, label, key }): Shortcut => {
    return { deed: `open ${path}`, label, group: 'Go to', keys: ['g', key] }
  }),
]

export interface Press {
  key: string
  hasMod: boolean
  /** Alt, or Shift where it makes no other character. */
  hasOther: boolean
  isTyping: boolean
  /** Milliseconds of any clock that does not go back. */
  at: number
}

/** Keys pressed so far of a sequence. */
export interface Pending {
  keys: readonly string[]
  at: number
}

const NEXT_KEY_WITHIN_MS = 1_500

interface Heard {
  deed: ShortcutDeed | null
  pending: Pending | null
}

/** What a key press means, after those before it. Plain keys mean nothing while the user types. */
export function hear(press: Press, pending: Pending | null): Heard {
  if (press.hasMod) {
    const chord = SHORTCUTS.find(({ keys }) => 'mod' in keys && keys.mod.toLowerCase() === press.key.toLowerCase())
    return { deed: (!press.hasOther && chord?.deed) || null, pending: null }
  }
  if (press.isTyping || press.hasOther) return { deed: null, pending: null }
  const earlier = pending && press.at - pending.at <= NEXT_KEY_WITHIN_MS ? pending.keys : []
  const keys = [...earlier, press.key]
  const fitting = SHORTCUTS.flatMap(({ deed, keys: wanted }) =>
    isSequence(wanted) && keys.every((key, i) => wanted[i] === key)
      ? { deed, isWhole: wanted.length === keys.length }
      : [],
  )
  const whole = fitting.find(({ isWhole }) => isWhole)
  if (whole) return { deed: whole.deed, pending: null }
  if (fitting.length > 0) return { deed: null, pending: { keys, at: press.at } }
  return earlier.length > 0 ? hear(press, null) : { deed: null, pending: null }
}

const isSequence = (keys: Shortcut['keys']): keys is readonly [string, ...string[]] => !('mod' in keys)

/** As printed on the keyboard: `Ctrl`, `K`; with `⌘` on a Mac. */
export function keyNames(keys: Shortcut['keys'], isMac: boolean): string[] {
  if (isSequence(keys)) return keys.map((key) => (key.length === 1 ? key.toUpperCase() : key))
  return [isMac ? '⌘' : 'Ctrl', keys.mod.length === 1 ? keys.mod.toUpperCase() : keys.mod]
}

export const keysOf = (deed: ShortcutDeed, isMac: boolean): string[] => {
  const shortcut = SHORTCUTS.find((one) => one.deed === deed)
  return shortcut ? keyNames(shortcut.keys, isMac) : []
}

export const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform)

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

/** The form on show whose button runs what is set up; null where there is none, or it runs already. */
export function runForm(): HTMLFormElement | null {
  const forms = [...document.querySelectorAll<HTMLFormElement>('main form[data-runs]')]
  const form = forms.find((one) => one.checkVisibility())
  return form?.querySelector('[type=submit]:not(:disabled)') ? form : null
}
