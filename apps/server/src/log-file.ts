import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartupFailure } from './startup-failure.ts'

export interface LogFileSettings {
  readonly path: string
  /** A line that would exceed it begins a new file. */
  readonly maxBytes: number
  /** The number of files with the current one: `log`, `log.1`, `log.2`; the oldest goes. */
  readonly files: number
}

/**
 * Lines in a file that is replaced when it is full. Written at once, so that the last line before a crash is there. A line
 * that cannot be written goes to standard error: a full disk must not stop the program.
 */
export class LogFile {
  readonly #settings: LogFileSettings
  #file: number
  #bytes: number

  constructor(settings: LogFileSettings) {
    this.#settings = settings
    try {
      mkdirSync(dirname(settings.path), { recursive: true, mode: 0o700 })
      this.#file = openSync(settings.path, 'a', 0o600)
      this.#bytes = fstatSync(this.#file).size
    } catch (cause) {
      throw new StartupFailure(
        `Configuration: LOG_FILE ${settings.path} cannot be written (${cause instanceof Error ? cause.message : ''}).`,
        { cause },
      )
    }
  }

  write(line: string): void {
    const bytes = Buffer.from(line)
    try {
      if (this.#bytes > 0 && this.#bytes + bytes.length > this.#settings.maxBytes) this.#replace()
      let written = 0
      while (written < bytes.length) written += writeSync(this.#file, bytes, written)
      this.#bytes += bytes.length
    } catch {
      process.stderr.write(line)
    }
  }

  #replace(): void {
    const { path, files } = this.#settings
    closeSync(this.#file)
    try {
      rmSync(numbered(path, files - 1), { force: true })
      for (let number = files - 2; number >= 0; number--)
        moveIfThere(numbered(path, number), numbered(path, number + 1))
    } finally {
      // Where files cannot be moved, lines go on in the one there is.
      this.#file = openSync(path, 'a', 0o600)
      this.#bytes = fstatSync(this.#file).size
    }
  }
}

const numbered = (path: string, number: number): string => (number === 0 ? path : `${path}.${number}`)

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
