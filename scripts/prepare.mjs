// Runs before every command, on whatever Node the machine has (plain JavaScript, built-ins only): installs the
// packages when the lockfile changed, and with --web builds the web app when its sources changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectNode } from './project-node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

installWhenStale()
if (process.argv.includes('--web')) buildWebWhenStale()

function installWhenStale() {
  const stamp = join(root, 'node_modules', '.tradewright-installed')
  const wanted = hashOf(['package.json', 'package-lock.json', ...workspaceManifests()])
  if (readOr(stamp, '') === wanted && existsSync(projectNode(root))) return
  console.log('Installing packages (only when they changed)…')
  // Install scripts stay off (see .npmrc): nothing the project needs comes from one.
  npm(['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'])
  if (!existsSync(projectNode(root))) {
    fail(
      `No Node.js for ${process.platform}-${process.arch} came with the packages. Supported: Linux, macOS and Windows on x64, Linux and macOS on arm64.`,
    )
  }
  writeFileSync(stamp, wanted)
}

function buildWebWhenStale() {
  const stamp = join(root, 'apps', 'web', 'dist', '.built-from')
  const wanted = hashOf(webSources())
  if (readOr(stamp, '') === wanted) return
  console.log('Building the web app (only when it changed)…')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  run(
    projectNode(root),
    [vite, 'build', '--logLevel', 'warn'],
    join(root, 'apps', 'web'),
    'The web app could not be built.',
  )
  writeFileSync(stamp, wanted)
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

function workspaceManifests() {
  return ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => `${group}/${name}/package.json`)
      .filter((file) => existsSync(join(root, file))),
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

function npm(args) {
  const cli = process.env.npm_execpath
  const failure =
    'The packages could not be installed. Check the network connection to the package registry and try again.'
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  if (cli && /\.c?js$/.test(cli)) run(process.execPath, [cli, ...args], root, failure)
  else run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, root, failure)
}

function run(command, args, cwd, failure) {
  const result = spawnSync(command, args, { cwd, stdio: 'inherit', shell: command.endsWith('.cmd') })
  if (result.error) fail(`${failure} (${result.error.message})`)
  if (result.status !== 0) fail(failure)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
