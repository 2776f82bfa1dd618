import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ON_DEMAND } from '../apps/server/src/adapters/packages/on-demand.ts'
import { installAll, installForRunning, isAllInstalled, partOfLock } from './packages.mjs'

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

describe('an installation', () => {
  it.each([
    ['of all packages', (project: string) => installAll(project, () => undefined)],
    ['of what runs the program', (project: string) => installForRunning(project, 'apps/server', () => undefined)],
  ])('%s replaces what was there only when it is complete', (_, install) => {
    const project = projectWith({ version: '1.0.0' })
    expect(install(project)).toBeUndefined()
    expect(versionIn(project)).toBe('1.0.0')
    expect(readlinkSync(join(project, 'node_modules/@tradewright/server'))).toBe('../../apps/server')

    projectWith({ version: '2.0.0', isMissing: true }, project)
    expect(install(project)).toContain('tool-2.0.0.tgz')
    expect(versionIn(project)).toBe('1.0.0')

    projectWith({ version: '2.0.0' }, project)
    expect(install(project)).toBeUndefined()
    expect(versionIn(project)).toBe('2.0.0')
    expect(readdirSync(join(project, 'node_modules')).filter((name) => /installing|replaced/.test(name))).toEqual([])
  })

  it('that cannot be used is not put in place', () => {
    const project = projectWith({ version: '1.0.0' })
    installAll(project, () => undefined)
    projectWith({ version: '2.0.0' }, project)
    expect(installAll(project, () => 'Node.js does not start')).toBe('Node.js does not start')
    expect(versionIn(project)).toBe('1.0.0')
  })

  it('by hand is recognized until the lockfile asks for other versions', () => {
    const project = projectWith({ version: '1.0.0' })
    expect(isAllInstalled(project)).toBe(false)
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: project, stdio: 'ignore' })
    expect(isAllInstalled(project)).toBe(true)
    projectWith({ version: '2.0.0' }, project)
    expect(isAllInstalled(project)).toBe(false)
  })
})

/** A project with one workspace that needs one package, whose archive lies beside the lockfile. */
function projectWith(
  { version, isMissing = false }: { version: string; isMissing?: boolean },
  existing?: string,
): string {
  const project = existing ?? mkdtempSync(join(tmpdir(), 'tradewright-packages-'))
  if (existing === undefined) onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  const archive = join(project, `tool-${version}.tgz`)
  rmSync(archive, { force: true })
  if (!isMissing) {
    const source = join(project, 'source', 'package')
    mkdirSync(source, { recursive: true })
    writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'tool', version }))
    execFileSync('tar', ['-czf', archive, '-C', join(project, 'source'), 'package'])
  }
  const server = { name: '@tradewright/server', version: '0.0.0', dependencies: { tool: version } }
  const whole = { name: 'project', version: '0.0.0', private: true, workspaces: ['apps/*'] }
  mkdirSync(join(project, 'apps/server'), { recursive: true })
  writeFileSync(join(project, 'apps/server/package.json'), JSON.stringify(server))
  writeFileSync(join(project, 'package.json'), JSON.stringify(whole))
  const packages = {
    '': whole,
    'apps/server': server,
    'node_modules/@tradewright/server': { resolved: 'apps/server', link: true },
    'node_modules/tool': { version, resolved: pathToFileURL(archive).href },
  }
  const named = { name: 'project', version: '0.0.0', lockfileVersion: 3, requires: true, packages }
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(named))
  return project
}

function versionIn(project: string): string {
  const text = readFileSync(join(project, 'node_modules/tool/package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
