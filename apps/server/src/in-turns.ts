import { setImmediate as nextTurn } from 'node:timers/promises'

/** Items of one turn: some milliseconds of work. */
const SLICE = 2_000

/** A long list, item by item; between slices of it the thread answers others. */
export async function inTurns<Item>(length: number, itemAt: (index: number) => Item): Promise<Item[]> {
  const list: Item[] = []
  for (let index = 0; index < length; index++) {
    if (index > 0 && index % SLICE === 0) await nextTurn()
    list.push(itemAt(index))
  }
  return list
}

/** Work on each item, so many at once: a list that a user sends does not take every connection there is. */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = Array.from<Result>({ length: items.length })
  const rest = items.entries()
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return results
}
