import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { filesOf, readManifest } from './shell-files.ts'

/** The screen that must open without a network, beside the sign-in page, which is part of the entry. */
const SHELL_SCREENS = ['src/features/home/home-screen.tsx']

/**
 * Writes the list of shell files into the copied `sw.js`. The list carries content hashes, so a new version of the
 * app is a new version of the worker, and the browser notices.
 */
export function shellPrecachePlugin(): Plugin {
  let folder = 'dist'
  return {
    name: 'shell-precache',
    apply: 'build',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle: () => {
      const shell = filesOf(readManifest(folder), ['index.html', ...SHELL_SCREENS]).filter(
        (file) => !file.endsWith('.map'),
      )
      const worker = join(folder, 'sw.js')
      writeFileSync(worker, withShell(readFileSync(worker, 'utf8'), shell, readFileSync(join(folder, 'index.html'))))
    },
  }
}

function withShell(worker: string, shell: string[], page: Buffer): string {
  const version = createHash('sha256').update(shell.join('\n')).update(page).digest('hex').slice(0, 12)
  const paths = shell.map((file) => `/${file}`)
  return worker
    .replace("const VERSION = 'development'", `const VERSION = '${version}'`)
    .replace('const SHELL_FILES = []', `const SHELL_FILES = ${JSON.stringify(paths)}`)
}
