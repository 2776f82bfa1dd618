import type { ContainedFolder } from '../contained-folder.ts'
import type { ExpectedFile, LakeFolder } from './lake-folder.ts'
import { MissingFile } from './lake-folder.ts'
import { damagedFile } from './store-problems.ts'
import { VerifiedFiles } from './verified-files.ts'

/** A folder of this machine. Only this program writes there, so its checksums detect damage, not intent. */
export function localFolder(folder: ContainedFolder): LakeFolder {
  const files = new VerifiedFiles(folder, 'crc32')

  async function localName(file: ExpectedFile): Promise<string> {
    const found = await files.find(file)
    if (found === 'missing') throw new MissingFile(file.path)
    if (found === 'damaged') throw damagedFile(file.path)
    return found.localName
  }

  return {
    reading: async (expected, work) => work(await Promise.all(expected.map(localName))),
    distrust: (expected) => expected.forEach(({ path }) => files.forget(path)),
    scratch: () => files.scratch(),
    async publish(scratch, path) {
      await folder.syncFile(scratch.path)
      const marks = await files.marksOf(scratch.path)
      await files.place(scratch, path)
      await folder.syncFolderOf(path)
      return marks
    },
    discard: ({ path }) => folder.remove(path),
    async remove(paths) {
      for (const path of paths) await files.remove(path)
    },
    sweepScratch: (olderThan) => files.sweepScratch(olderThan),
  }
}
