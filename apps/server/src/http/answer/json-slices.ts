import { setImmediate as nextTurn } from 'node:timers/promises'

/** A list longer than this is written in slices of this length: each takes a few milliseconds. */
export const SLICE = 2_000

/** Whether writing it in one go would block the event loop for other requests. Checks no deeper than answers go. */
export function isLong(value: unknown, depth = 4): boolean {
  if (typeof value !== 'object' || value === null || depth === 0) return false
  if (Array.isArray(value)) {
    return value.length > SLICE || (typeof value[0] === 'object' && value.some((one) => isLong(one, depth - 1)))
  }
  return Object.values(value).some((one) => isLong(one, depth - 1))
}

/** The JSON text of a value, a slice at a time; between two slices others have their turn. */
export async function* jsonSlices(value: unknown): AsyncGenerator<string> {
  for (const slice of slices(value)) {
    yield slice
    await nextTurn()
  }
}

function* slices(value: unknown): Generator<string> {
  if (!isLong(value)) yield JSON.stringify(value)
  else if (Array.isArray(value)) yield* listSlices(value)
  else yield* objectSlices(value as Record<string, unknown>)
}

function* listSlices(list: readonly unknown[]): Generator<string> {
  yield '['
  if (list.length <= SLICE) {
    // Few items, and at least one of them is long itself.
    for (const [at, one] of list.entries()) {
      if (at > 0) yield ','
      yield* slices(one)
    }
  } else {
    for (let at = 0; at < list.length; at += SLICE) {
      const slice = JSON.stringify(list.slice(at, at + SLICE)).slice(1, -1)
      yield at === 0 ? slice : `,${slice}`
    }
  }
  yield ']'
}

function* objectSlices(object: Readonly<Record<string, unknown>>): Generator<string> {
  let before = '{'
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue
    yield `${before}${JSON.stringify(key)}:`
    yield* slices(value)
    before = ','
  }
  yield '}'
}
