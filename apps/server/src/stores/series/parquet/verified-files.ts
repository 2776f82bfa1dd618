import { randomUUID } from 'node:crypto'
import type { ChecksumName, ContainedFolder } from '../contained-folder.ts'
import type { ExpectedFile, FileMarks, Scratch } from './lake-folder.ts'

/** Part of the store's own folder, so that renaming never crosses a file system. */
const SCRATCH = '.scratch'

interface VerifiedFile {
  readonly identity: string
  /** Its absolute name, for DuckDB. */
  readonly localName: string
}

/**
 * Files of a folder that are compared with what the catalogue says of them: each once in a process, and again only if
 * it was touched since.
 */
export class VerifiedFiles {
  readonly folder: ContainedFolder
  readonly #algorithm: ChecksumName
  readonly #seen = new Map<string, VerifiedFile>()

  constructor(folder: ContainedFolder, algorithm: ChecksumName) {
    this.folder = folder
    this.#algorithm = algorithm
  }

  async find({ path, bytes, checksum }: ExpectedFile): Promise<VerifiedFile | 'missing' | 'damaged'> {
    const state = await this.folder.state(path)
    if (!state) return 'missing'
    const seen = this.#seen.get(path)
    if (seen?.identity === state.identity) return seen
    const localName = await this.folder.at(path)
    // A mark of another kind is weaker than what this folder asks for.
    if (state.bytes !== bytes || (await this.#checksumOf(path)) !== checksum) return 'damaged'
    const verified = { identity: state.identity, localName }
    this.#seen.set(path, verified)
    return verified
  }

  async marksOf(path: string): Promise<FileMarks> {
    const checksum = await this.#checksumOf(path)
    return { bytes: (await this.folder.state(path))!.bytes, checksum }
  }

  /** Gives a scratch file its name. Its marks were just taken, so it need not be read again for them. */
  async place(scratch: Scratch, path: string): Promise<void> {
    await this.folder.rename(scratch.path, path)
    await this.trust(path)
  }

  async trust(path: string): Promise<void> {
    const [state, localName] = [await this.folder.state(path), await this.folder.at(path)]
    if (state) this.#seen.set(path, { identity: state.identity, localName })
  }

  forget(path: string): void {
    this.#seen.delete(path)
  }

  async remove(path: string): Promise<void> {
    this.forget(path)
    await this.folder.remove(path)
  }

  async scratch(): Promise<Scratch> {
    const path = `${SCRATCH}/${randomUUID()}.tmp`
    return { path, localName: await this.folder.atNew(path) }
  }

  async sweepScratch(olderThan: number): Promise<void> {
    for (const { path, modifiedAt } of await this.folder.list(SCRATCH)) {
      if (modifiedAt < olderThan) await this.folder.remove(path)
    }
  }

  async #checksumOf(path: string): Promise<string> {
    return `${this.#algorithm}:${await this.folder.checksum(path, this.#algorithm)}`
  }
}

export const isScratch = (path: string): boolean => path.split('/').includes(SCRATCH)
