import { Problem } from '@tradewright/core/problem'
import { performance } from 'node:perf_hooks'
import { PassThrough, pipeline, type Readable } from 'node:stream'

/**
 * Downloads of all users together: each holds one of the connections to the database, which other calls need as well.
 */
const AT_ONCE = 4
const MAX_MS = 10 * 60_000
/** A reader who is given bytes and does not take them in this time is gone, or means to hold the place. */
const STALLED_MS = 15_000
const MIN_BYTES_PER_STALL = 64 * 1024
/** When others wait for a place, the slowest reader gives way after this time, unless it reads at such a rate. */
const PATIENCE_MS = 10_000
const WELCOME_BYTES_PER_SECOND = 256 * 1024

interface Download {
  /** The place is free again when the file has ended or its reader has gone. */
  carries(file: Readable): Readable
  release(): void
}

interface Running extends Download {
  readonly beganAt: number
  /** Bytes that the reader took. */
  taken: () => number
  abort: (reason: Error) => void
}

/** Files that are read from the database while they are sent: one for each user, and a few in all. */
export class Downloads {
  readonly #running = new Map<number, Running>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** `refusal` is the sentence for a user who has one already. */
  begin(userId: number, refusal: string): Download {
    if (this.#running.has(userId)) throw new Problem('limited', 'export.running', refusal, { retryAfterSeconds: 10 })
    if (this.#running.size >= AT_ONCE) this.#makeRoom()
    const release = () => {
      if (this.#running.get(userId) === download) this.#running.delete(userId)
    }
    const download: Running = {
      beganAt: this.#now(),
      taken: () => 0,
      abort: release,
      release,
      carries(file) {
        let passed = 0
        const sent = new PassThrough({
          transform(chunk: Buffer, _encoding, done) {
            passed += chunk.length
            done(null, chunk)
          },
        })
        download.taken = () => passed - sent.readableLength
        download.abort = (reason) => {
          sent.destroy(reason)
          release()
        }
        const watch = watchReader(sent, download)
        const end = () => {
          release()
          clearInterval(watch)
        }
        // At its end it is done for the reader, who may ask again at once; closed, whatever the reason.
        sent.once('end', end).once('close', end)
        return pipeline(file, sent, () => {})
      },
    }
    this.#running.set(userId, download)
    return download
  }

  /** The slowest reader gives way, so that others are not kept out by slow reading. */
  #makeRoom(): void {
    const now = this.#now()
    const rateOf = (one: Running) => one.taken() / ((now - one.beganAt) / 1000)
    const slow = [...this.#running.values()]
      .filter((one) => now - one.beganAt >= PATIENCE_MS && rateOf(one) < WELCOME_BYTES_PER_SECOND)
      .toSorted((a, b) => rateOf(a) - rateOf(b))
    const [slowest] = slow
    if (!slowest) {
      const sentence = 'Other users are downloading files. Please try again in a few seconds.'
      throw new Problem('limited', 'export.many', sentence, { retryAfterSeconds: PATIENCE_MS / 1000 })
    }
    slowest.abort(new Error('a download was read too slowly while others waited'))
  }
}

/** Ends a download that takes too long, and one whose reader stops reading what is there. */
function watchReader(sent: PassThrough, { taken, abort }: Running): NodeJS.Timeout {
  let [before, stalls] = [0, 0]
  const watch = setInterval(() => {
    stalls += 1
    const isWaitedFor = sent.readableLength > 0
    if (stalls * STALLED_MS >= MAX_MS) abort(new Error('a download took too long'))
    else if (isWaitedFor && taken() - before < MIN_BYTES_PER_STALL) abort(new Error('a download was not read'))
    before = taken()
  }, STALLED_MS)
  watch.unref()
  return watch
}
