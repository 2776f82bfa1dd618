/** The catalogue's marks of a file, so that a damaged or foreign one is noticed before DuckDB reads it. */
export interface FileMarks {
  readonly bytes: number
  /** `crc32:` or `sha256:` and its digits. */
  readonly checksum: string
}

export interface ExpectedFile extends FileMarks {
  readonly path: string
}

/** A new file that only its writer knows. */
export interface Scratch {
  readonly path: string
  /** Its absolute name, for DuckDB. */
  readonly localName: string
}

/**
 * Where a store's files lie: a folder of this machine, or a bucket somewhere. Paths are relative, with `/`.
 * DuckDB reads and writes local files only, so a bucket keeps copies; files never change, so a copy never ages.
 */
export interface LakeFolder {
  /**
   * Runs `work` with the local names of the files, in the same order; they stay while it runs. Throws `MissingFile` or
   * a Problem that names a damaged one.
   */
  reading<T>(files: readonly ExpectedFile[], work: (localNames: string[]) => Promise<T>): Promise<T>
  /** Compares the files with their marks again when they are next read. */
  distrust(files: readonly ExpectedFile[]): void
  scratch(): Promise<Scratch>
  /** Makes a written file durable under its path. */
  publish(scratch: Scratch, path: string): Promise<FileMarks>
  /** Gives up a file that was not published. */
  discard(scratch: Scratch): Promise<void>
  /** Files that are not there are not missed. */
  remove(paths: readonly string[]): Promise<void>
  /** Removes local leftovers of writers that died. */
  sweepScratch(olderThan: number): Promise<void>
}

/** A file that a newer version of the store has replaced and removed: reading again, with that version, will do. */
export class MissingFile extends Error {
  override readonly name = 'MissingFile'
  readonly path: string

  constructor(path: string) {
    super(`the file ${path} is missing`)
    this.path = path
  }
}
