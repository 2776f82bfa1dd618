/** A queue per owner, taken from in turn: whoever has waited longest for his turn is next, however much others queue. */
export class OwnerQueues<Item> {
  /** In the order of turns: the first owner is next. */
  readonly #queues = new Map<string, Item[]>()
  #length = 0

  get length(): number {
    return this.#length
  }

  add(owner: string, item: Item): void {
    const queue = this.#queues.get(owner)
    if (queue) queue.push(item)
    else this.#queues.set(owner, [item])
    this.#length += 1
  }

  takeNext(): Item | undefined {
    for (const [owner, queue] of this.#queues) {
      const item = queue.shift()
      this.#queues.delete(owner)
      if (queue.length > 0) this.#queues.set(owner, queue)
      if (item !== undefined) this.#length -= 1
      return item
    }
    return undefined
  }

  /** Whether it was still waiting. */
  remove(owner: string, item: Item): boolean {
    const queue = this.#queues.get(owner)
    const at = queue?.indexOf(item) ?? -1
    if (!queue || at < 0) return false
    queue.splice(at, 1)
    if (queue.length === 0) this.#queues.delete(owner)
    this.#length -= 1
    return true
  }
}
