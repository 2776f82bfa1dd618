interface Place<Item> {
  readonly item: Item
  before: Place<Item> | undefined
  after: Place<Item> | undefined
}

/** Items in an order, of which any leaves, or gets another behind it, without moving the rest. */
export class Sequence<Item extends object> {
  readonly #places = new Map<Item, Place<Item>>()
  #first: Place<Item> | undefined
  #last: Place<Item> | undefined

  constructor(items: Iterable<Item> = []) {
    for (const item of items) this.add(item)
  }

  get first(): Item | undefined {
    return this.#first?.item
  }

  has(item: Item): boolean {
    return this.#places.has(item)
  }

  add(item: Item): void {
    this.#insert(item, this.#last)
  }

  addBehind(other: Item, item: Item): void {
    this.#insert(item, this.#places.get(other))
  }

  delete(item: Item): void {
    const place = this.#places.get(item)
    if (!place) return
    this.#places.delete(item)
    if (place.before) place.before.after = place.after
    else this.#first = place.after
    if (place.after) place.after.before = place.before
    else this.#last = place.before
  }

  /** An item may leave while it is looked at. */
  *[Symbol.iterator](): Generator<Item> {
    for (let place = this.#first; place; place = place.after) yield place.item
  }

  *backwards(): Generator<Item> {
    for (let place = this.#last; place; place = place.before) yield place.item
  }

  #insert(item: Item, before: Place<Item> | undefined): void {
    const after = before ? before.after : this.#first
    const place = { item, before, after }
    this.#places.set(item, place)
    if (before) before.after = place
    else this.#first = place
    if (after) after.before = place
    else this.#last = place
  }
}
