// `npm run release`: builds release/tradewright-<version>.tar.gz with the built web app, its list of packages (CycloneDX), the
// image and SHA256SUMS. Everything comes from the last commit and its time: two runs give the same bytes, the image's on the same base images.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  createWriteStream,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createGzip, type Gzip } from 'node:zlib'
import { ON_DEMAND } from '../apps/server/src/adapters/packages/on-demand.ts'
import { TarWriter } from '../apps/server/src/stores/backup/tar.ts'
import { bundledCli } from './bundled-cli.ts'
import { partOfLock } from './packages.mjs'
import { releaseBom } from './release-bom.ts'
import { writeImage } from './release-image.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/**
 * What neither the program nor its operator reads. The sources of the web app stay whole: their checksum says that the
 * built app is theirs.
 */
const LEFT_OUT =
  /^(\.ci|\.github|bench|e2e|fixtures|reference)\/|^(apps\/(server|cli)|packages\/engine|scripts)\/(.*\.(test|suite|campaign)\.ts$|.*test-support\/)/
const DIST = 'apps/web/dist'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const name = `tradewright-${version}`
const committedAt = Number(git('log', '-1', '--format=%ct'))
refuseChanges()
const folder = join(root, 'release')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

await writeTarball(join(folder, `${name}.tar.gz`))
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Parameters<typeof releaseBom>[0]
writeFileSync(
  join(folder, `${name}.cdx.json`),
  releaseBom(lock, version, new Date(committedAt * 1000), onDemandPaths()),
)
const image = `${name}-image.tar.gz`
const tarball = join(folder, `${name}.tar.gz`)
const whyNoImage = await writeImage({ tarball, name, version, committedAt, to: join(folder, image) }).catch(failedImage)
if (whyNoImage !== undefined) console.log(`No image was built: ${whyNoImage}`)
const files = [`${name}.cdx.json`, ...(whyNoImage === undefined ? [image] : []), `${name}.tar.gz`]
const sums = files.map((file) => `${sha256(join(folder, file))}  ${file}\n`)
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
console.log(`${folder}:\n${sums.join('')}`)

/** The rest is a release all the same; only the image is missing, which the exit code says. */
function failedImage(cause: unknown): string {
  process.exitCode = 1
  const said = cause instanceof Error ? cause.message : String(cause)
  return `${said}\nWhere its base images cannot be fetched, BASE and BUILD_BASE name others (docs/operations.md).`
}

function refuseChanges(): void {
  if (git('status', '--porcelain', '--untracked-files=no') === '') return
  console.error('There are changes that are not committed: a release is made of a commit.')
  process.exit(1)
}

async function writeTarball(file: string): Promise<void> {
  const gzip = createGzip({ level: 9 })
  await Promise.all([pipeline(gzip, createWriteStream(file)), writeEntries(gzip)])
}

async function writeEntries(gzip: Gzip): Promise<void> {
  const tar = new TarWriter(gzip, { modifiedAt: committedAt })
  for (const path of releasedFiles()) {
    const isProgram = (statSync(join(root, path)).mode & 0o100) !== 0
    await tar.add(`${name}/${path}`, readFileSync(join(root, path)), isProgram ? 0o755 : 0o644)
  }
  await tar.add(`${name}/apps/cli/dist/tradewright.mjs`, await bundledCli(root), 0o644)
  await tar.finish()
  gzip.end()
}

function releasedFiles(): string[] {
  const tracked = git('ls-files', '-z')
    .split('\0')
    .filter((path) => path !== '' && !LEFT_OUT.test(path))
  if (!existsSync(join(root, DIST, '.built-from'))) throw new Error('the web app is not built')
  const built = globSync(`${DIST}/**/*`, { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  const files = [...built, `${DIST}/.built-from`].filter((path) => statSync(join(root, path)).isFile())
  return [...new Set([...tracked, ...files])].sort()
}

/** Paths in the lockfile of packages that are installed when they are first needed. */
function onDemandPaths(): string[] {
  const names = Object.values(ON_DEMAND).map((one) => one.name)
  return Object.keys(partOfLock(lock, 'apps/server', names).packages).filter((path) => path !== '')
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
