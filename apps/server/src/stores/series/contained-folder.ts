import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, realpath, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Problem } from '@tradewright/core/problem'
import { errorCode } from '../../system-error.ts'

/** A file as a listing shows it. */
interface ListedFile {
  readonly path: string
  readonly modifiedAt: number
  readonly bytes: number
}

interface FileState {
  readonly bytes: number
  /** Changes with every write to the file, its name or its times. */
  readonly identity: string
}

export type ChecksumName = 'crc32' | 'sha256'

/**
 * The only way from a data store to the file system. Paths are relative, with `/`; none leaves the folder, neither by
 * `..` or an absolute part nor by a link. `base` is the operator's, who may well have made it a link.
 */
export class ContainedFolder {
  readonly #base: string
  readonly #below: string

  constructor(base: string, below = '') {
    if (below !== '') assertPlain(below)
    this.#base = resolve(base)
    this.#below = below
  }

  /** A folder of this folder, which is not left either. */
  folder(path: string): ContainedFolder {
    assertPlain(path)
    return new ContainedFolder(this.#base, join(this.#below, path).split(sep).join('/'))
  }

  /** The absolute name of a path, for those that open files themselves (DuckDB, the drivers of buckets). */
  async at(path: string): Promise<string> {
    const name = this.#named(path)
    const [base, real] = await Promise.all([realName(this.#base), realName(name)])
    // Every link below the base shows as a difference, also one that leads back inside.
    if (real !== join(base, relative(this.#base, name))) throw outside(path)
    return name
  }

  /** The same, for a file that is about to be written: its folder is made. */
  async atNew(path: string): Promise<string> {
    const name = await this.at(path)
    await mkdir(dirname(name), { recursive: true })
    return name
  }

  /** Whether the folder itself can be reached without a link; made if it is not there. */
  async make(): Promise<string> {
    const name = await this.at('')
    await mkdir(name, { recursive: true })
    return name
  }

  /** Undefined for what is not there. A link is refused. */
  async state(path: string): Promise<FileState | undefined> {
    // Not `at`: a caller that compares the identity with an earlier one has checked the path then, and a link put in
    // its way since leads to another identity.
    const found = await lstat(this.#named(path)).catch(undefinedIfMissing)
    if (found?.isSymbolicLink()) throw outside(path)
    return found && { bytes: found.size, identity: `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` }
  }

  /** All files below; links are left out. */
  async list(path = ''): Promise<ListedFile[]> {
    const found: ListedFile[] = []
    const [root, folders] = [await this.at(''), [await this.at(path)]]
    // Not `recursive`, with which Node enters folders that are links.
    for (const folder of folders) {
      const entries = (await readdir(folder, { withFileTypes: true }).catch(undefinedIfMissing)) ?? []
      folders.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name)))
      const files = entries.filter((entry) => entry.isFile())
      found.push(...(await Promise.all(files.map(({ name }) => listedFile(root, join(folder, name))))).flat())
    }
    return found
  }

  /** Undefined for what is not there. */
  async readText(path: string, maxBytes: number): Promise<string | undefined> {
    const file = await open(await this.at(path), constants.O_RDONLY | NO_LINK).catch(undefinedIfMissing)
    if (!file) return undefined
    try {
      if ((await file.stat()).size > maxBytes) throw new RangeError(`${path} is longer than ${maxBytes} bytes`)
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  }

  /** Refuses to replace a file. */
  async write(path: string, text: string): Promise<void> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINK
    const file = await open(await this.atNew(path), flags)
    try {
      await file.writeFile(text)
    } finally {
      await file.close()
    }
  }

  async checksum(path: string, algorithm: ChecksumName): Promise<string> {
    const file = await open(await this.at(path), constants.O_RDONLY | NO_LINK)
    // Closes the file at its end, and when reading fails.
    const chunks = file.createReadStream({ highWaterMark: 1 << 20 })
    return algorithm === 'crc32' ? crcOf(chunks) : shaOf(chunks)
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(await this.at(from), await this.atNew(to))
  }

  /** Makes the bytes of a file durable. */
  async syncFile(path: string): Promise<void> {
    await synced(await this.at(path), constants.O_RDWR | NO_LINK)
  }

  /** A rename is durable once its folder is. Windows cannot open folders and does not need it. */
  async syncFolderOf(path: string): Promise<void> {
    if (process.platform !== 'win32') await synced(dirname(await this.at(path)), constants.O_RDONLY)
  }

  /** Notes that a file was used now. */
  async touch(path: string, now: Date): Promise<void> {
    await utimes(await this.at(path), now, now)
  }

  /** A missing file is no error. */
  async remove(path: string): Promise<void> {
    await rm(await this.at(path), { force: true })
  }

  /** The folder itself with all that is in it. A link in it is removed, not followed. */
  async removeAll(): Promise<void> {
    await rm(await this.at(''), { recursive: true, force: true })
  }

  #named(path: string): string {
    if (path !== '') assertPlain(path)
    return join(this.#base, this.#below, path)
  }
}

/** Windows has no such flag; making links there takes an administrator. */
const NO_LINK = constants.O_NOFOLLOW ?? 0

/** Separators of other systems, and characters that no name of ours has. */
// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const STRANGE = /[\\\x00-\x1f\x7f]/

function assertPlain(path: string): void {
  const isPlain = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  if (!isPlain || STRANGE.test(path) || /^[A-Za-z]:/.test(path)) throw outside(path)
}

const outside = (path: string): Problem =>
  new Problem('unavailable', 'store.outside', `The data store refuses a path that leaves its folder: "${shown(path)}".`)

/** A path in a message: at most a line of it, and nothing that a terminal would act on. */
const shown = (path: string): string => path.replaceAll(/\p{Cc}/gu, '?').slice(0, 200)

/** A name with its links followed. What is not there yet cannot be a link: the nearest folder that is there decides. */
export async function realName(name: string): Promise<string> {
  const real = await realpath(name).catch(undefinedIfMissing)
  if (real !== undefined) return real
  // A link that leads to nothing exists all the same, and a write would follow it.
  if ((await lstat(name).catch(undefinedIfMissing))?.isSymbolicLink()) return `${name} (a link)`
  const parent = dirname(name)
  return parent === name ? name : join(await realName(parent), relative(parent, name))
}

/** None where another process removes it in the middle of the listing. */
async function listedFile(root: string, name: string): Promise<ListedFile[]> {
  const found = await lstat(name).catch(undefinedIfMissing)
  const path = relative(root, name).split(sep).join('/')
  return found ? [{ path, modifiedAt: found.mtimeMs, bytes: found.size }] : []
}

async function synced(name: string, flags: number): Promise<void> {
  const file = await open(name, flags)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function crcOf(chunks: AsyncIterable<unknown>): Promise<string> {
  let checksum = 0
  for await (const chunk of chunks) checksum = crc32(chunk as Buffer, checksum)
  return checksum.toString(16).padStart(8, '0')
}

async function shaOf(chunks: AsyncIterable<unknown>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function undefinedIfMissing(error: unknown): undefined {
  const code = errorCode(error)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  return undefined
}
