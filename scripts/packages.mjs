// Installs a part of the packages that package-lock.json pins, into a folder of its own or beside those that are there.
// Plain JavaScript with built-ins only: runs before anything is installed, on whatever Node.js the machine has.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { npmEnvironment } from './npm-environment.mjs'
import { targetArch } from './project-node.mjs'

/** Install scripts stay off (see .npmrc): nothing the project needs comes from one. */
const NPM_OPTIONS = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']

/**
 * Runs `npm ci` in a folder; gives why it failed, or undefined.
 * @param {string} folder
 * @param {'inherit' | 'pipe'} [output]
 * @returns {string | undefined}
 */
function npmCi(folder, output = 'inherit') {
  const args = ['ci', ...NPM_OPTIONS]
  const cli = process.env.npm_execpath
  const isScript = cli !== undefined && /\.c?js$/.test(cli)
  const isWindows = process.platform === 'win32'
  // Inside of npm, `node` may be the one of the packages, which an installation replaces while this runs.
  const node = [process.env.npm_node_execpath, process.execPath].find((path) => path && existsSync(path)) ?? 'node'
  const { error, status, stderr } = spawnSync(
    isScript ? node : isWindows ? 'npm.cmd' : 'npm',
    isScript ? [cli, ...args] : args,
    {
      cwd: folder,
      stdio: ['ignore', output, 'pipe'],
      shell: !isScript && isWindows,
      encoding: 'utf8',
      env: { ...npmEnvironment(process.env), npm_config_cpu: targetArch() },
    },
  )
  if (error) return error.message
  return status === 0 ? undefined : reasonIn(stderr ?? '') || `npm ended with ${status}`
}

/** What npm says of an error, without its prefix and the place of its log. */
const reasonIn = (stderr) =>
  stderr
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('A complete log of this run'))
    .slice(0, 3)
    .join(' · ')

/**
 * Installs packages of one workspace with all they need: the versions and checksums are those of the project's lockfile,
 * and nothing that is installed already is touched.
 * @param {string} root of the project
 * @param {{ workspace: string, names: readonly string[], into: string, output?: 'inherit' | 'pipe' }} wanted
 * @returns {string | undefined} why it failed
 */
export function installPackages(root, { workspace, names, into, output }) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return installPart(root, partOfLock(lock, workspace, names), into, output)
}

/**
 * Installs by a lockfile of its own, beside what is there.
 * @param {string} root of the project
 * @param {{ packages: Record<string, any> }} part
 * @param {string} into
 * @param {'inherit' | 'pipe'} [output]
 * @returns {string | undefined} why it failed
 */
export function installPart(root, part, into, output) {
  const staging = join(into, `.installing-${process.pid}`)
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { recursive: true })
  try {
    writePart(staging, part)
    // The registry may be named there.
    if (existsSync(join(root, '.npmrc'))) copyFileSync(join(root, '.npmrc'), join(staging, '.npmrc'))
    const failure = npmCi(staging, output)
    if (failure !== undefined) return failure
    // What was asked for comes last: a package that is there has all it needs.
    const { dependencies, optionalDependencies } = part.packages['']
    const asked = Object.keys({ ...dependencies, ...optionalDependencies })
    const installed = topLevel(join(staging, 'node_modules'))
    const others = installed.filter((name) => !asked.includes(name))
    for (const name of [...others, ...asked]) moveNew(join(staging, 'node_modules', name), join(into, name))
    return undefined
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/**
 * Installs what a workspace runs on in place of everything that was installed before.
 * @param {string} root of the project
 * @param {string} workspace
 * @param {(folder: string) => string | undefined} finish completes what was installed, or says why it cannot be used
 * @returns {string | undefined} why it failed; what was installed before is still there then
 */
export function installForRunning(root, workspace, finish) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { dependencies, optionalDependencies } = packages[workspace]
  const wanted = Object.keys({ ...packages[''].optionalDependencies, ...dependencies, ...optionalDependencies })
  return installBeside(root, (staging) => {
    const names = wanted.filter((name) => !isLink(packages, name))
    writePart(staging, partOfLock({ packages }, workspace, names))
    const failure = npmCi(staging) ?? finish(staging)
    // They would tell npm that this part is all there is.
    for (const name of ['.bin', '.package-lock.json'])
      rmSync(join(staging, 'node_modules', name), { recursive: true, force: true })
    // The web app has its tools there while it is built.
    if (failure === undefined)
      for (const folder of workspacesOf(packages)) if (folder !== 'apps/web') removePackages(root, folder)
    return failure
  })
}

/**
 * Installs all packages of the project, with the tools of the tests, in place of what was installed before.
 * @param {string} root of the project
 * @param {(folder: string) => string | undefined} finish completes what was installed, or says why it cannot be used
 * @returns {string | undefined} why it failed; what was installed before is still there then
 */
export function installAll(root, finish) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const folders = workspacesOf(packages)
  return installBeside(root, (staging) => {
    copyFileSync(join(root, 'package-lock.json'), join(staging, 'package-lock.json'))
    for (const folder of ['', ...folders]) {
      mkdirSync(join(staging, folder), { recursive: true })
      copyFileSync(join(root, folder, 'package.json'), join(staging, folder, 'package.json'))
    }
    const failure = npmCi(staging) ?? finish(staging)
    if (failure !== undefined) return failure
    for (const folder of folders) {
      removePackages(root, folder)
      const own = join(staging, folder, 'node_modules')
      if (existsSync(own)) renameSync(own, join(root, folder, 'node_modules'))
    }
    return undefined
  })
}

/**
 * Whether `npm ci` installed all that the lockfile names: it may have been run by hand.
 * @param {string} root of the project
 */
export function isAllInstalled(root) {
  const installed = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installed)) return false
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { packages: found } = JSON.parse(readFileSync(installed, 'utf8'))
  return Object.entries(packages).every(([path, entry]) => {
    if (path === '' || workspacesOf(packages).includes(path)) return true
    if (!found[path]) return entry.optional === true
    return found[path].version === entry.version && found[path].integrity === entry.integrity
  })
}

const workspacesOf = (packages) =>
  Object.values(packages).flatMap(({ link, resolved: folder }) => (link ? [folder] : []))

const removePackages = (root, folder) => rmSync(join(root, folder, 'node_modules'), { recursive: true, force: true })

/** Calls `install` with an empty folder beside the packages, and puts what it installed there in their place. */
function installBeside(root, install) {
  const into = join(root, 'node_modules')
  // Inside of the folder: it may be a volume of its own, and packages are moved, not copied.
  const staging = join(into, `.installing-${process.pid}`)
  const replaced = join(into, `.replaced-${process.pid}`)
  mkdirSync(into, { recursive: true })
  removeLeftovers(into)
  mkdirSync(staging)
  try {
    if (existsSync(join(root, '.npmrc'))) copyFileSync(join(root, '.npmrc'), join(staging, '.npmrc'))
    const failure = install(staging)
    if (failure !== undefined) return failure
    mkdirSync(replaced)
    try {
      moveAll(into, replaced)
      moveAll(join(staging, 'node_modules'), into)
    } catch (error) {
      for (const name of readdirSync(replaced)) rmSync(join(into, name), { recursive: true, force: true })
      moveAll(replaced, into)
      throw error
    }
    linkWorkspaces(root)
    return undefined
  } catch (error) {
    return error.message
  } finally {
    removeLeftovers(into)
  }
}

const isLeftover = (name) => /^\.(installing|replaced)-\d+$/.test(name)

function removeLeftovers(folder) {
  for (const name of readdirSync(folder).filter(isLeftover)) {
    try {
      rmSync(join(folder, name), { recursive: true, force: true })
    } catch {
      // Windows keeps the file of a program that runs; the next installation removes it.
    }
  }
}

function moveAll(from, to) {
  for (const name of readdirSync(from)) if (!isLeftover(name)) renameSync(join(from, name), join(to, name))
}

function linkWorkspaces(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  for (const [path, { resolved: folder, link }] of Object.entries(packages)) {
    if (!link) continue
    mkdirSync(dirname(join(root, path)), { recursive: true })
    rmSync(join(root, path), { recursive: true, force: true })
    // Windows needs no special rights for a junction; other systems take it for a link as any.
    symlinkSync(
      process.platform === 'win32' ? join(root, folder) : relative(dirname(join(root, path)), join(root, folder)),
      join(root, path),
      'junction',
    )
  }
}

const isLink = (packages, name) => packages[`node_modules/${name}`]?.link === true

/**
 * The entries of a lockfile that some packages of a workspace need, as a lockfile of its own.
 * @param {{ packages: Record<string, any> }} lock
 * @param {string} workspace its folder, as the lockfile names it
 * @param {readonly string[]} names
 */
export function partOfLock(lock, workspace, names) {
  const required = new Set()
  const withOptional = new Set()
  const isOptional = (name) =>
    name in { ...lock.packages[''].optionalDependencies, ...lock.packages[workspace].optionalDependencies }
  for (const name of names) {
    if (!isOptional(name)) collect(lock.packages, workspace, name, required, false)
    collect(lock.packages, workspace, name, withOptional, true)
  }
  const packages = { '': { name: 'part', version: '0.0.0' } }
  // The workspace's own versions come first in the order, and stay where another package asks for a newer one as a peer.
  for (const path of [...withOptional].sort((a, b) => (a < b ? -1 : 1))) {
    const entry = { ...lock.packages[path] }
    // They say why the whole project has it; here it is asked for, or optional.
    for (const flag of ['dev', 'devOptional', 'optional', 'peer']) delete entry[flag]
    const place = path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path
    packages[place] ??= required.has(path) ? entry : { ...entry, optional: true }
  }
  for (const name of names) {
    const { version, optional } = packages[`node_modules/${name}`]
    const kind = optional ? 'optionalDependencies' : 'dependencies'
    packages[''][kind] = { ...packages[''][kind], [name]: version }
  }
  return { name: 'part', version: '0.0.0', lockfileVersion: 3, requires: true, packages }
}

function collect(packages, from, name, found, isOptionalToo) {
  const path = resolved(packages, from, name)
  if (path === undefined || found.has(path) || packages[path].link) return
  found.add(path)
  const {
    dependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
    optionalDependencies = {},
  } = packages[path]
  const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional)
  const optional = isOptionalToo ? Object.keys(optionalDependencies) : []
  for (const next of [...Object.keys(dependencies), ...peers, ...optional]) {
    if (isOptionalToo || !(next in optionalDependencies)) collect(packages, path, next, found, isOptionalToo)
  }
}

/** As Node.js looks a package up: in the folder's own node_modules, then in those above it. */
function resolved(packages, from, name) {
  for (let at = from; ; at = at.includes('/') ? dirname(at) : '') {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (packages[path]) return path
    if (at === '') return undefined
  }
}

function writePart(folder, part) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...part.packages[''], private: true }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(part))
}

function topLevel(folder) {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
    )
}

function moveNew(from, to) {
  if (existsSync(to) || !existsSync(from)) return
  mkdirSync(dirname(to), { recursive: true })
  try {
    renameSync(from, to)
  } catch (error) {
    // Another process that installs the same was faster.
    if (!existsSync(to)) throw error
  }
}
