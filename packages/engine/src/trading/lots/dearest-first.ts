import type { Lot } from './lot.ts'

interface Entry<Own> {
  readonly lot: Own
  /** As the lot was when it was put in: an entry of a lot that has changed since counts no longer. */
  readonly quantity: Lot['quantity']
  readonly basis: Lot['basis']
}

/** Lots by their cost per share, the highest first, of equal ones the first in line. A binary heap. */
export class DearestFirst<Own extends Lot> {
  readonly #entries: Entry<Own>[] = []
  readonly #inLine: (a: Own, b: Own) => number

  constructor(lots: Iterable<Own>, inLine: (a: Own, b: Own) => number) {
    this.#inLine = inLine
    for (const lot of lots) this.put(lot)
  }

  /** Again after each change of the lot. */
  put(lot: Own): void {
    if (!lot.quantity.isPositive) return
    const entries = this.#entries
    entries.push({ lot, quantity: lot.quantity, basis: lot.basis })
    for (let i = entries.length - 1; i > 0;) {
      const parent = (i - 1) >> 1
      if (this.#order(entries[parent]!, entries[i]!) <= 0) return
      this.#swap(i, parent)
      i = parent
    }
  }

  /** The dearest lot, which is not in here until it is put in again. */
  take(): Own | undefined {
    for (;;) {
      const [first] = this.#entries
      if (!first) return undefined
      this.#removeFirst()
      if (first.lot.quantity === first.quantity && first.lot.basis === first.basis) return first.lot
    }
  }

  #removeFirst(): void {
    const entries = this.#entries
    const last = entries.pop()!
    if (entries.length === 0) return
    entries[0] = last
    for (let i = 0; ;) {
      const [left, right] = [2 * i + 1, 2 * i + 2]
      let next = i
      if (left < entries.length && this.#order(entries[left]!, entries[next]!) < 0) next = left
      if (right < entries.length && this.#order(entries[right]!, entries[next]!) < 0) next = right
      if (next === i) return
      this.#swap(i, next)
      i = next
    }
  }

  #swap(i: number, j: number): void {
    const entry = this.#entries[i]!
    this.#entries[i] = this.#entries[j]!
    this.#entries[j] = entry
  }

  /** Compares by the cost per share, without dividing. */
  #order(a: Entry<Own>, b: Entry<Own>): number {
    const [left, right] = [a.basis.billionths * b.quantity.billionths, b.basis.billionths * a.quantity.billionths]
    return left === right ? this.#inLine(a.lot, b.lot) : left > right ? -1 : 1
  }
}
