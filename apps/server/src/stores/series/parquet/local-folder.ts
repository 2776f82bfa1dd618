import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { checksumOf } from './checksum.ts'
import type { ExpectedFile, LakeFolder, ListedFile } from './lake-folder.ts'
import { MissingFile } from './lake-folder.ts'
import { damagedFile } from './store-problems.ts'

/** Part of the store's own folder, so that renaming never crosses a file system. */
const SCRATCH = '.scratch'

export function localFolder(root: string): LakeFolder {
  const at = (path: string) => join(root, ...path.split('/'))
  const scratchPath = async () => {
    await mkdir(at(SCRATCH), { recursive: true })
    return join(root, SCRATCH, `${randomUUID()}.tmp`)
  }
  const checked = new CheckedFiles()
  return {
    name: root,
    list: async (prefix) => {
      const files = await listFolder(at(prefix), root)
      return files.filter(({ path }) => !path.startsWith(`${SCRATCH}/`))
    },
    readText: (path) => readFile(at(path), 'utf8').catch(undefinedIfMissing),
    async createText(path, text) {
      const scratch = await scratchPath()
      try {
        await writeDurably(scratch, text)
        await mkdir(dirname(at(path)), { recursive: true })
        if (!(await moveIfAbsent(scratch, at(path)))) return false
        await syncFolder(dirname(at(path)))
        return true
      } finally {
        await rm(scratch, { force: true })
      }
    },
    localPaths: (files) => Promise.all(files.map((file) => checked.pathOf(at(file.path), file))),
    scratchPath,
    async publish(scratch, path) {
      const marks = { bytes: await syncFile(scratch), checksum: await checksumOf(scratch) }
      await mkdir(dirname(at(path)), { recursive: true })
      await rename(scratch, at(path))
      await syncFolder(dirname(at(path)))
      return marks
    },
    discard: (scratch) => rm(scratch, { force: true }),
    async remove(paths) {
      for (const path of paths) await rm(at(path), { force: true })
    },
    async sweepScratch(olderThan) {
      for (const { path, modifiedAt } of await listFolder(at(SCRATCH), root)) {
        if (modifiedAt < olderThan) await rm(at(path), { force: true })
      }
    },
  }
}

/** Reads each file once in a process, to see that it is what was written; again only if somebody touched it. */
class CheckedFiles {
  readonly #seen = new Map<string, string>()

  async pathOf(name: string, { path, bytes, checksum }: ExpectedFile): Promise<string> {
    const found = await stat(name).catch(undefinedIfMissing)
    if (!found) throw new MissingFile(path)
    if (found.size !== bytes) throw damagedFile(name)
    const state = `${found.mtimeMs} ${found.ino}`
    if (this.#seen.get(name) === state) return name
    if ((await checksumOf(name)) !== checksum) throw damagedFile(name)
    this.#seen.set(name, state)
    return name
  }
}

async function listFolder(folder: string, root: string): Promise<ListedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(undefinedIfMissing)
  const files = (entries ?? []).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const listed = await Promise.all(
    files.map(async (name) => {
      // Another process may remove it in the middle of the listing.
      const found = await stat(name).catch(undefinedIfMissing)
      return found && { path: relative(root, name).split(sep).join('/'), modifiedAt: found.mtimeMs }
    }),
  )
  return listed.filter((file) => file !== undefined)
}

async function writeDurably(name: string, text: string): Promise<void> {
  const file = await open(name, 'wx')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFile(name: string): Promise<number> {
  const file = await open(name, 'r+')
  try {
    await file.sync()
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

/** A rename is durable once its folder is. Windows cannot open folders and does not need it. */
async function syncFolder(name: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(name, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** A hard link refuses to replace, which `rename` does not; file systems without links get the next best thing. */
async function moveIfAbsent(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EMLINK') throw error
  }
  if (await stat(to).catch(undefinedIfMissing)) return false
  await rename(from, to)
  return true
}

export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
  return undefined
}
