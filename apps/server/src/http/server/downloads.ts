import { Problem } from '@tradewright/core/problem'
import type { Readable } from 'node:stream'

/** A reader who stops reading would hold its place in the database for ever. */
const MAX_MS = 10 * 60_000
/** Of all users together: each holds one of the 20 connections to the database, which everything else needs as well. */
const AT_ONCE = 4

interface Download {
  /** The place is free again when the file has ended or its reader has gone. */
  carries(file: Readable): Readable
  release(): void
}

/** Files that are read from the database while they are sent: one for each user, and a few in all. */
export class Downloads {
  readonly #running = new Map<number, Download>()

  /** `refusal` is the sentence for a user who has one already. */
  begin(userId: number, refusal: string): Download {
    if (this.#running.has(userId)) throw new Problem('limited', 'export.running', refusal)
    if (this.#running.size >= AT_ONCE) {
      const sentence = 'Other users are downloading files. Please try again in a minute.'
      throw new Problem('limited', 'export.many', sentence, { retryAfterSeconds: 60 })
    }
    const release = () => {
      if (this.#running.get(userId) === download) this.#running.delete(userId)
    }
    const download: Download = {
      release,
      carries(file) {
        const limit = setTimeout(() => file.destroy(), MAX_MS)
        const end = () => {
          release()
          clearTimeout(limit)
        }
        // At its end it is done for the reader, who may ask again at once; closed, whatever the reason.
        return file.once('end', end).once('close', end)
      },
    }
    this.#running.set(userId, download)
    return download
  }
}
