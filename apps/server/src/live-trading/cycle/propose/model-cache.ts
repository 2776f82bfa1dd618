/** Forests of a few thousand rows take some 8 MB each. */
const MAX_BYTES = 128 * 1024 * 1024

/**
 * Models that were read and verified, by checksum: reading one of 8 MB from the database takes about a second. The least
 * recently used ones go first.
 */
export class ModelCache {
  readonly #models = new Map<string, Uint8Array>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  get(checksum: string): Uint8Array | undefined {
    const bytes = this.#models.get(checksum)
    if (!bytes) return undefined
    this.#models.delete(checksum)
    this.#models.set(checksum, bytes)
    return bytes
  }

  add(checksum: string, bytes: Uint8Array): void {
    if (this.#models.has(checksum)) return
    this.#models.set(checksum, bytes)
    this.#bytes += bytes.byteLength
    for (const [oldest, { byteLength }] of this.#models) {
      if (this.#bytes <= this.#maxBytes) break
      this.#models.delete(oldest)
      this.#bytes -= byteLength
    }
  }
}
