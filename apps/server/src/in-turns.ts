import { setImmediate as nextTurn } from 'node:timers/promises'

/** Some milliseconds of work. */
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
