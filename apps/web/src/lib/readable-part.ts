import type { z } from 'zod'

/** Entries of one list that were left out of an answer. */
interface LeftOut {
  /** The field that holds the list; empty where the answer itself is one. */
  list: string
  count: number
  total: number
}

interface ReadablePart<Answer> {
  answer: Answer
  leftOut: LeftOut[]
}

/**
 * The answer without the entries that its schema refuses; null when it is unreadable without them, too. Only entries that
 * are objects can be left out: numbers and texts in a list often belong to those at the same place of another list. An
 * entry goes as a whole: one that lacks a part of itself would show wrong figures.
 */
export function readablePart<Schema extends z.ZodType>(
  schema: Schema,
  sent: unknown,
): ReadablePart<z.output<Schema>> | null {
  const first = schema.safeParse(sent)
  if (first.success) return { answer: first.data, leftOut: [] }
  const refused = new Map<unknown[], Set<number>>()
  const names = new Map<unknown[], string>()
  for (const { path } of first.error.issues) {
    const entry = outermostEntry(sent, path)
    if (!entry) return null
    refused.set(entry.list, (refused.get(entry.list) ?? new Set()).add(entry.index))
    names.set(entry.list, entry.name)
  }
  const rest = schema.safeParse(without(sent, refused))
  if (!rest.success) return null
  const leftOut = [...refused].map(([list, { size }]) => ({
    list: names.get(list) ?? '',
    count: size,
    total: list.length,
  }))
  return { answer: rest.data, leftOut }
}

interface Entry {
  list: unknown[]
  index: number
  name: string
}

function outermostEntry(sent: unknown, path: readonly PropertyKey[]): Entry | null {
  let value = sent
  let name = ''
  for (const key of path) {
    if (Array.isArray(value) && typeof key === 'number' && value.some(isRecord))
      return { list: value, index: key, name }
    if (!isRecord(value) || typeof key !== 'string') return null
    value = value[key]
    name = key
  }
  return null
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists lie in objects only, since the outermost one was taken. */
function without(value: unknown, refused: ReadonlyMap<unknown[], ReadonlySet<number>>): unknown {
  if (Array.isArray(value)) {
    const gone = refused.get(value)
    return gone ? value.filter((_, index) => !gone.has(index)) : value
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, without(part, refused)]))
}

/** Stored rows that the server could not read itself: `left_out` beside the list they are missing in. */
export function leftOutByServer(answer: unknown): LeftOut[] {
  if (!isRecord(answer) || typeof answer['left_out'] !== 'number' || answer['left_out'] === 0) return []
  const count = answer['left_out']
  return Object.entries(answer).flatMap(([list, entries]) =>
    Array.isArray(entries) ? [{ list, count, total: entries.length + count }] : [],
  )
}

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
