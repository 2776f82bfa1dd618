import { randomUUID } from 'node:crypto'
import type { ContainedFolder } from './contained-folder.ts'
import type { WriterLock } from './writer-lock.ts'

const FILE = 'folder-id'
const ID = /^[0-9a-f-]{36}$/

/**
 * Tells the folders of several machines apart that share a database. Kept in the folder itself, so that one that is
 * moved keeps its catalogue, and one that was lost starts with an empty one.
 */
export async function folderId(folder: ContainedFolder, lock: WriterLock): Promise<string> {
  return (
    (await readId(folder)) ??
    lock.exclusive(FILE, async () => {
      const known = await readId(folder)
      if (known) return known
      const id = randomUUID()
      // A process that was killed here may have left an empty one.
      await folder.remove(FILE)
      await folder.write(FILE, id)
      await folder.syncFile(FILE)
      return id
    })
  )
}

async function readId(folder: ContainedFolder): Promise<string | undefined> {
  const text = await folder.readText(FILE, 100)
  return text && ID.test(text) ? text : undefined
}
