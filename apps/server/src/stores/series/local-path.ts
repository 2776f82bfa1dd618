import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import { Problem } from '@tradewright/core/problem'
import { undefinedIfMissing } from './parquet/local-folder.ts'

/**
 * The folder that a user's path means. The first root is where relative paths begin; the operator may allow others.
 * Links are followed before the comparison, so that none leads out.
 */
export async function allowedFolder(path: string, roots: readonly string[]): Promise<string> {
  // DuckDB takes these for patterns.
  if (/[*?[\]{}\0]/.test(path)) {
    throw new Problem('invalid', 'store.path', `"${path}" has characters that a data store's path may not have.`)
  }
  const folder = resolve(roots[0]!, path)
  const real = await realFolder(folder)
  for (const root of roots) if (isInside(await realFolder(root), real)) return folder
  throw new Problem('invalid', 'store.path', `"${path}" is outside the folders that this server keeps data stores in.`)
}

function isInside(root: string, folder: string): boolean {
  const way = relative(root, folder)
  return !way.startsWith('..') && !isAbsolute(way)
}

/** What is not there yet cannot be a link: the nearest folder that is there decides. */
async function realFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch(undefinedIfMissing)
  if (real !== undefined) return real
  const parent = dirname(folder)
  return parent === folder ? folder : resolve(await realFolder(parent), relative(parent, folder))
}
