import type { JobProgress } from './job.ts'

const INTERVAL_MS = 250

/** Writes the newest progress, at most four times a second and never two writes at once. */
export class ProgressWriter {
  readonly #write: (progress: JobProgress) => Promise<void>
  #newest: JobProgress | null = null
  #isWritten = true
  #isBusy = false

  constructor(write: (progress: JobProgress) => Promise<void>) {
    this.#write = write
  }

  write(progress: JobProgress): void {
    this.#newest = cleaned(progress)
    this.#isWritten = false
    if (!this.#isBusy) void this.#writeNewest()
  }

  /** Progress not written yet, for the next write of the row; this writer stops. */
  drainUnwritten(): JobProgress | null {
    const unwritten = this.#isWritten ? null : this.#newest
    this.#isWritten = true
    return unwritten
  }

  async #writeNewest(): Promise<void> {
    this.#isBusy = true
    while (!this.#isWritten && this.#newest) {
      this.#isWritten = true
      const pause = new Promise((resolve) => setTimeout(resolve, INTERVAL_MS).unref())
      await this.#write(this.#newest)
      await pause
    }
    this.#isBusy = false
  }
}

/** Progress is for people; a number that is none becomes "cannot tell". */
function cleaned({ fraction, note }: JobProgress): JobProgress {
  const isKnown = fraction !== null && Number.isFinite(fraction)
  return { fraction: isKnown ? Math.min(1, Math.max(0, fraction)) : null, note }
}
