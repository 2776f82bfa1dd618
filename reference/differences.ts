/** A value that is not what it was; undefined stands for one that is not there. */
export interface Difference {
  readonly path: string
  readonly before: unknown
  readonly now: unknown
}

/** Twelve digits are written; the last ones depend on the processor. */
const TOLERANCE = 1e-9

/** All values of two JSON documents that differ, by their path. Numbers differ by more than their last digits. */
export function differences(before: unknown, now: unknown, path = ''): Difference[] {
  if (isObject(before) && isObject(now)) {
    const names = new Set([...Object.keys(before), ...Object.keys(now)])
    return [...names].flatMap((name) => differences(before[name], now[name], path === '' ? name : `${path}.${name}`))
  }
  return isSame(before, now) ? [] : [{ path, before, now }]
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isSame = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number'
    ? Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b))
    : a === b
