import { z } from 'zod'

const LOOKED_AT = 64

const items = new WeakMap<object, z.ZodType>()

/**
 * A list that may have a hundred thousand items: some of them are validated, all of them pass as they are. Checking
 * each would hold up the thread that answers and the page that reads. For numbers, dates and rows that we make
 * ourselves.
 */
export function longList<Item extends z.ZodType>(item: Item) {
  const list = z.custom<z.output<Item>[]>(
    (value) => Array.isArray(value) && spread(value).every((one) => item.safeParse(one).success),
    'must be a list of the declared items',
  )
  items.set(list, item)
  return list
}

/** The item schema of a long list, for the published document; undefined for any other schema. */
export const longListItem = (schema: object): z.ZodType | undefined => items.get(schema)

/** First and last, and some between. */
function spread(list: readonly unknown[]): unknown[] {
  if (list.length <= LOOKED_AT) return [...list]
  const step = (list.length - 1) / (LOOKED_AT - 1)
  return Array.from({ length: LOOKED_AT }, (_, i) => list[Math.round(i * step)])
}
