import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { TarWriter } from '../apps/server/src/stores/backup/tar.ts'

interface ImageOf {
  readonly tarball: string
  /** The tarball's name, and that of the folder in it. */
  readonly name: string
  readonly version: string
  /** The time of every file in it, in seconds. */
  readonly committedAt: number
  readonly to: string
}

/**
 * The image of an unpacked release as an archive for `podman load -i` and `docker load -i`, its files dated by the commit. BASE,
 * BUILD_BASE, ARCH and PACKAGES are those of deploy/Containerfile. Gives why there is none where buildah is not installed.
 */
export async function writeImage({ tarball, name, version, committedAt, to }: ImageOf): Promise<string | undefined> {
  if (spawnSync('buildah', ['--version']).error) return 'buildah is not installed (Debian: apt install buildah).'
  const folder = mkdtempSync(join(tmpdir(), 'tradewright-release-image-'))
  const image = `localhost/tradewright:${version}`
  try {
    run('tar', ['-xzf', tarball, '-C', folder])
    const context = join(folder, name)
    const args = ['ARCH', 'BASE', 'BUILD_BASE', 'PACKAGES'].flatMap((key) =>
      process.env[key] ? ['--build-arg', `${key}=${process.env[key]}`] : [],
    )
    const file = join(context, 'deploy/Containerfile')
    // Docker's format: OCI's has no health check. The label would be the version of buildah.
    const format = [
      '--format',
      'docker',
      '--layers=false',
      '--identity-label=false',
      '--timestamp',
      String(committedAt),
    ]
    run('buildah', ['build', ...format, ...args, '-f', file, '-t', image, context])
    const archive = join(folder, 'image.tar')
    run('buildah', ['push', image, `docker-archive:${archive}:${image}`])
    await writeRepeatable(archive, committedAt, to)
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface ArchivedImage {
  readonly Config: string
  readonly RepoTags: readonly string[]
  readonly Layers: readonly string[]
}

/**
 * Writes an archive of one image again, compressed, without what no two builds have in common: the id of the container it was
 * built in, and the files that older versions of Docker read, which are named by it.
 */
export async function writeRepeatable(archive: string, modifiedAt: number, to: string): Promise<void> {
  const folder = `${archive}.parts`
  mkdirSync(folder)
  run('tar', ['-xf', archive, '-C', folder])
  const [image] = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as [ArchivedImage]
  const {
    container: _id,
    container_config: _settings,
    ...config
  } = JSON.parse(readFileSync(join(folder, image.Config), 'utf8')) as Record<string, unknown>
  const settings = Buffer.from(JSON.stringify(config))
  const name = `${createHash('sha256').update(settings).digest('hex')}.json`
  const gzip = createGzip()
  const writeEntries = async () => {
    const tar = new TarWriter(gzip, { modifiedAt })
    await tar.add('manifest.json', Buffer.from(JSON.stringify([{ ...image, Config: name }])), 0o644)
    await tar.add(name, settings, 0o644)
    for (const layer of new Set(image.Layers)) {
      const file = join(folder, layer)
      await tar.addStream(layer, statSync(file).size, createReadStream(file), 0o644)
    }
    await tar.finish()
    gzip.end()
  }
  await Promise.all([pipeline(gzip, createWriteStream(to)), writeEntries()])
}

function run(command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout.slice(-1500)}\n${stderr.slice(-3000)}`)
}
