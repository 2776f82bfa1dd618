import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from './config.ts'

const versionIn = (folder: string): string =>
  (JSON.parse(readFileSync(join(projectFolder, folder, 'package.json'), 'utf8')) as { version: string }).version

export const programVersion = versionIn('.')
export const engineVersion = versionIn('packages/engine')

/** The commit of the checkout that the program runs from; null where it is none, or one that is not understood here. */
export function programCommit(folder = projectFolder): string | null {
  try {
    const git = join(folder, '.git')
    const head = readFileSync(join(git, 'HEAD'), 'utf8').trim()
    const reference = /^ref: (\S+)$/.exec(head)?.[1]
    const commit = reference === undefined ? head : readFileSync(join(git, reference), 'utf8').trim()
    return /^[0-9a-f]{40,64}$/.test(commit) ? commit : null
  } catch {
    return null
  }
}
