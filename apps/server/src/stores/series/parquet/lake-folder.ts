/** A file as a listing shows it. */
export interface ListedFile {
  readonly path: string
  readonly modifiedAt: number
}

/** What the log knows of a file, so that a damaged one is noticed before DuckDB reads it. */
export interface FileMarks {
  readonly bytes: number
  readonly checksum: number
}

export interface ExpectedFile extends FileMarks {
  readonly path: string
}

/**
 * Where a store's files lie: a folder of this machine, or a bucket somewhere. Paths are relative, with `/`.
 * DuckDB reads and writes local files only, so a bucket keeps copies; files never change, so a copy never ages.
 */
export interface LakeFolder {
  /** How the folder is called in messages. */
  readonly name: string
  list(prefix: string): Promise<ListedFile[]>
  readText(path: string): Promise<string | undefined>
  /** All or nothing, and never over an existing file: false when there is one. */
  createText(path: string, text: string): Promise<boolean>
  /** Local names of the files, in the same order. Throws `MissingFile` or a Problem that names a damaged one. */
  localPaths(files: readonly ExpectedFile[]): Promise<string[]>
  /** A local name to write a new file under; nobody sees it before `publish`. */
  scratchPath(): Promise<string>
  /** Makes a written file durable under its path. */
  publish(scratchPath: string, path: string): Promise<FileMarks>
  /** Gives up a file that was not published. */
  discard(scratchPath: string): Promise<void>
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
