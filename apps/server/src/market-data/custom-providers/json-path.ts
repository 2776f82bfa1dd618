import type { JsonPath } from '../provider-definition.ts'

/** The value at a path, through own properties only; undefined where the path leads nowhere. `{ticker}` may be a key. */
export function readPath(value: unknown, path: JsonPath, symbol = ''): unknown {
  let current = value
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined
    const key = String(step).replaceAll('{ticker}', symbol)
    const descriptor = Object.getOwnPropertyDescriptor(current, key)
    if (!descriptor) return undefined
    current = descriptor.value
  }
  return current
}
