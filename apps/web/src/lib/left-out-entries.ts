import type { LeftOut } from './readable-part.ts'

/** Which answers on the screen lack entries, by call. A complete answer of the same call takes its own away. */
let byCall: ReadonlyMap<string, readonly LeftOut[]> = new Map()
const listeners = new Set<() => void>()

export const leftOutEntries = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  snapshot: () => byCall,
}

export function noteLeftOut(call: string, leftOut: readonly LeftOut[]): void {
  if (JSON.stringify(byCall.get(call) ?? []) === JSON.stringify(leftOut)) return
  const next = new Map(byCall)
  if (leftOut.length === 0) next.delete(call)
  else next.set(call, leftOut)
  change(next)
}

/** When the user has read it, or is no longer signed in. */
export function dropLeftOut(): void {
  change(new Map())
}

function change(next: ReadonlyMap<string, readonly LeftOut[]>): void {
  byCall = next
  for (const listener of listeners) listener()
}

/** "Saved jobs: 1 of 12 entries could not be read and is left out." */
export function leftOutSentence({ list, count, total }: LeftOut): string {
  const words = (list || 'list').replaceAll('_', ' ')
  const name = words.charAt(0).toUpperCase() + words.slice(1)
  return `${name}: ${count} of ${total} entries could not be read and ${count === 1 ? 'is' : 'are'} left out.`
}
