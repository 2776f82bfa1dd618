import { isAbsolute, relative, resolve, sep } from 'node:path'
import { Problem } from '@tradewright/core/problem'
import { ContainedFolder, realName } from './contained-folder.ts'

/** A folder that a user's path means: `path` is relative to the first root, or absolute in another one. */
interface AllowedFolder {
  readonly folder: ContainedFolder
  readonly path: string
}

/** The first root is where relative paths begin; the operator may allow others. No path leaves its root, not by a link. */
export async function allowedFolder(path: string, roots: readonly string[]): Promise<AllowedFolder> {
  // DuckDB takes these for patterns.
  if (/[*?[\]{}\0]/.test(path)) {
    throw new Problem('invalid', 'store.path', `"${path}" has characters that a data store's path may not have.`)
  }
  const [first] = roots as [string, ...string[]]
  const name = resolve(first, path)
  for (const root of roots) {
    for (const base of new Set([resolve(root), await realName(root)])) {
      const below = relative(base, name)
      if (below.split(sep)[0] === '..' || isAbsolute(below)) continue
      const allowed = await unlinked(new ContainedFolder(root), below.split(sep).join('/'))
      if (allowed) return { folder: allowed, path: root === first ? below.split(sep).join('/') : name }
    }
  }
  throw new Problem('invalid', 'store.path', `"${path}" is outside the folders that this server keeps data stores in.`)
}

async function unlinked(root: ContainedFolder, below: string): Promise<ContainedFolder | undefined> {
  try {
    const folder = below === '' ? root : root.folder(below)
    await folder.at('')
    return folder
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
