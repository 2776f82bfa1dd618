const BLOCK_ROWS = 65_536

/** A column of unknown length, kept in blocks: nothing is copied until the length is known. */
export class GrowingColumn {
  #blocks: Float64Array[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    const at = this.#length++ % BLOCK_ROWS
    if (at === 0) this.#blocks.push(new Float64Array(BLOCK_ROWS))
    this.#blocks.at(-1)![at] = value
  }

  /** All values in one array; the column is empty afterwards. */
  take(): Float64Array {
    const all = new Float64Array(this.#length)
    this.#blocks.forEach((block, i) => {
      const from = i * BLOCK_ROWS
      all.set(block.subarray(0, all.length - from), from)
    })
    this.#blocks = []
    this.#length = 0
    return all
  }
}
