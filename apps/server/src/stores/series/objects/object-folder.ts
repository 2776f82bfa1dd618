import { Problem } from '@tradewright/core/problem'
import { trimSlashes } from '@tradewright/core/trim-slashes'
import type { FileCopies } from '../disk/file-copies.ts'
import { type ExpectedFile, type LakeFolder, MissingFile } from '../parquet/lake-folder.ts'
import { damagedFile } from '../parquet/store-problems.ts'
import { errorCode } from '../../../system-error.ts'
import { reasonOf } from '../driver-errors.ts'
import type { ObjectStorage } from './object-storage.ts'

interface ObjectFolderOptions {
  readonly storage: ObjectStorage
  /** The path within the bucket; `/` at its end is not needed. */
  readonly prefix: string
  readonly copies: FileCopies
}

/** A bucket as the folder of a Parquet store. A file from it is accepted when its SHA-256 is the one we wrote. */
export function objectFolder({ storage, prefix, copies }: ObjectFolderOptions): LakeFolder {
  const key = objectKeys(prefix)
  const asked = <T>(work: Promise<T>) => work.catch((error: unknown) => Promise.reject(asProblem(error, storage.name)))

  async function fetchCopy(file: ExpectedFile): Promise<string> {
    const scratch = await copies.files.scratch()
    try {
      if (!(await asked(storage.download(key(file.path), scratch.localName, file.bytes)))) {
        throw new MissingFile(file.path)
      }
      const { bytes, checksum } = await copies.files.marksOf(scratch.path)
      if (bytes !== file.bytes || checksum !== file.checksum) throw damagedFile(file.path)
      await copies.files.place(scratch, file.path)
      return await copies.files.folder.at(file.path)
    } finally {
      await copies.files.folder.remove(scratch.path)
    }
  }

  return {
    reading: (files, work) => copies.keeping(files, fetchCopy, work),
    distrust: (files) => files.forEach(({ path }) => copies.files.forget(path)),
    scratch: () => copies.files.scratch(),
    async publish(scratch, path) {
      const marks = await copies.files.marksOf(scratch.path)
      await asked(storage.upload(scratch.localName, key(path)))
      // A file that was just written is likely to be read next.
      await copies.add({ path, ...marks }, scratch)
      return marks
    },
    discard: ({ path }) => copies.files.folder.remove(path),
    async remove(paths) {
      if (paths.length > 0) await asked(storage.remove(paths.map(key)))
      for (const path of paths) await copies.remove(path)
    },
    sweepScratch: (olderThan) => copies.files.sweepScratch(olderThan),
  }
}

export function objectKeys(prefix: string): (path: string) => string {
  const base = trimSlashes(prefix)
  return (path) => (base === '' ? path : `${base}/${path}`)
}

const OUR_DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

export function asProblem(error: unknown, name: string): unknown {
  if (error instanceof Problem || error instanceof MissingFile || !(error instanceof Error)) return error
  // A disk of ours that is full is told by the store itself.
  if (OUR_DISK.has(errorCode(error) ?? '')) return error
  const sentence = `The data store ${name} cannot be used: ${reasonOf(error)}.`
  return new Problem('unavailable', 'store.away', sentence, { cause: error })
}
