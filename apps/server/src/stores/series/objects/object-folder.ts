import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '@tradewright/core/problem'
import { checksumOf } from '../parquet/checksum.ts'
import { type ExpectedFile, type LakeFolder, MissingFile } from '../parquet/lake-folder.ts'
import { undefinedIfMissing } from '../parquet/local-folder.ts'
import { damagedFile } from '../parquet/store-problems.ts'
import { reasonOf } from '../why.ts'
import type { ObjectStorage } from './object-storage.ts'

export interface ObjectFolderOptions {
  readonly storage: ObjectStorage
  /** Within the bucket; `/` at its end is not needed. */
  readonly prefix: string
  /** Copies for DuckDB. Files never change, so a copy that is right stays right. */
  readonly cacheFolder: string
}

/** A bucket as the folder of a Parquet store. */
export function objectFolder({ storage, prefix, cacheFolder }: ObjectFolderOptions): LakeFolder {
  const base = prefix.replace(/^\/+|\/+$/g, '')
  const key = (path: string) => (base === '' ? path : `${base}/${path}`)
  const cached = (path: string) => join(cacheFolder, ...path.split('/'))
  const scratchPath = async () => {
    await mkdir(join(cacheFolder, '.scratch'), { recursive: true })
    return join(cacheFolder, '.scratch', `${randomUUID()}.tmp`)
  }
  const asked = <T>(work: Promise<T>) => work.catch((error: unknown) => Promise.reject(asProblem(error, storage.name)))
  const downloads = new Map<string, Promise<string>>()

  async function fetchCopy(file: ExpectedFile): Promise<string> {
    const name = cached(file.path)
    const found = await stat(name).catch(undefinedIfMissing)
    if (found?.size === file.bytes && (await checksumOf(name)) === file.checksum) return name
    const scratch = await scratchPath()
    try {
      if (!(await asked(storage.download(key(file.path), scratch, file.bytes)))) throw new MissingFile(file.path)
      if ((await checksumOf(scratch)) !== file.checksum) throw damagedFile(`${storage.name}/${key(file.path)}`)
      await mkdir(dirname(name), { recursive: true })
      await rename(scratch, name)
      return name
    } finally {
      await rm(scratch, { force: true })
    }
  }

  /** One download for many who ask, and one check per process. */
  const copyOf = (file: ExpectedFile): Promise<string> => {
    const pending = downloads.get(file.path)
    if (pending) return pending
    const started = fetchCopy(file)
    downloads.set(file.path, started)
    started.catch(() => downloads.delete(file.path))
    return started
  }

  return {
    name: base === '' ? storage.name : `${storage.name}/${base}`,
    async list(path) {
      const found = await asked(storage.list(key(path)))
      return found.map((one) => ({
        path: one.key.slice(base === '' ? 0 : base.length + 1),
        modifiedAt: one.modifiedAt,
      }))
    },
    readText: async (path) => (await asked(storage.get(key(path))))?.toString('utf8'),
    createText: (path, text) => asked(storage.create(key(path), Buffer.from(text))),
    localPaths: (files) => Promise.all(files.map(copyOf)),
    scratchPath,
    async publish(scratch, path) {
      const marks = { bytes: (await stat(scratch)).size, checksum: await checksumOf(scratch) }
      await asked(storage.upload(scratch, key(path)))
      // What was just written is what is read next.
      await mkdir(dirname(cached(path)), { recursive: true })
      await rename(scratch, cached(path))
      return marks
    },
    discard: (scratch) => rm(scratch, { force: true }),
    async remove(paths) {
      if (paths.length > 0) await asked(storage.remove(paths.map(key)))
      for (const path of paths) {
        downloads.delete(path)
        await rm(cached(path), { force: true })
      }
    },
    async sweepScratch(olderThan) {
      const folder = join(cacheFolder, '.scratch')
      for (const name of (await readdir(folder).catch(undefinedIfMissing)) ?? []) {
        const found = await stat(join(folder, name)).catch(undefinedIfMissing)
        if (found && found.mtimeMs < olderThan) await rm(join(folder, name), { force: true })
      }
    },
  }
}

function asProblem(error: unknown, name: string): unknown {
  if (error instanceof Problem || error instanceof MissingFile || !(error instanceof Error)) return error
  // A disk of ours that is full is told by the store itself.
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')) return error
  const sentence = `The data store ${name} cannot be used: ${reasonOf(error)}.`
  return new Problem('unavailable', 'store.away', sentence, { cause: error })
}
