import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ON_DEMAND } from '../apps/server/src/adapters/packages/on-demand.ts'
import { partOfLock } from './packages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { integrity?: string; dependencies?: Record<string, string> }>
}
const server = Object.keys(lock.packages['apps/server']!.dependencies!).filter(
  (name) => !name.startsWith('@tradewright/'),
)
const onDemand = Object.values(ON_DEMAND).map(({ name }) => name)

it('installs for running neither tools nor what is installed when first needed', () => {
  const names = Object.keys(partOfLock(lock, 'apps/server', server).packages).map((path) =>
    path.replace('node_modules/', ''),
  )
  expect(names).toContain('fastify')
  const unwanted = new Set(['vite', 'vitest', 'typescript', 'assemblyscript', '@playwright/test', 'react', ...onDemand])
  expect(names.filter((name) => unwanted.has(name))).toEqual([])
})

it.each([
  ['the server', 'apps/server', server],
  ['what is installed when first needed', 'apps/server', onDemand],
  ['what builds the web app', 'apps/web', ['vite', '@vitejs/plugin-react', 'react', '@tabler/icons-react']],
])('takes from the lockfile all that %s needs, with a checksum for each', (_, workspace, names) => {
  const { packages } = partOfLock(lock, workspace, names)
  const paths = Object.keys(packages).filter((path) => path !== '')
  expect(paths.filter((path) => !packages[path]!.integrity)).toEqual([])
  const missing = paths.flatMap((path) =>
    Object.keys(packages[path]!.dependencies ?? {}).filter((name) => !isFound(packages, path, name)),
  )
  expect(missing).toEqual([])
})

/** As Node.js looks a package up. */
function isFound(packages: object, from: string, name: string): boolean {
  const folders = from
    .split('/node_modules/')
    .map((_, at, parts) => parts.slice(0, parts.length - at).join('/node_modules/'))
  return [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].some(
    (path) => path in packages,
  )
}
