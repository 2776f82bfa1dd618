import { spawnSync } from 'node:child_process'
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

interface ImageOf {
  readonly tarball: string
  /** Also of the folder in the tarball. */
  readonly name: string
  readonly version: string
  /** Of every file in it, in seconds. */
  readonly committedAt: number
  readonly to: string
}

/**
 * The image of an unpacked release as an archive for `podman load -i` and `docker load -i`, its files dated by the commit. BASE,
 * BUILD_BASE, ARCH and PACKAGES are those of deploy/Containerfile. Gives why there is none where buildah is not installed.
 */
export async function writeImage({ tarball, name, version, committedAt, to }: ImageOf): Promise<string | undefined> {
  if (spawnSync('buildah', ['--version']).error) return 'buildah is not installed (Debian: apt install buildah)'
  const folder = mkdtempSync(join(tmpdir(), 'tradewright-release-image-'))
  const image = `localhost/tradewright:${version}`
  try {
    run('tar', ['-xzf', tarball, '-C', folder])
    const context = join(folder, name)
    const args = ['ARCH', 'BASE', 'BUILD_BASE', 'PACKAGES'].flatMap((key) =>
      process.env[key] ? ['--build-arg', `${key}=${process.env[key]}`] : [],
    )
    const file = join(context, 'deploy/Containerfile')
    // Docker's format: OCI's has no health check.
    const format = ['--format', 'docker', '--layers=false', '--timestamp', String(committedAt)]
    run('buildah', ['build', ...format, ...args, '-f', file, '-t', image, context])
    const archive = join(folder, 'image.tar')
    run('buildah', ['push', image, `docker-archive:${archive}:${image}`])
    await pipeline(createReadStream(archive), createGzip(), createWriteStream(to))
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout.slice(-1500)}\n${stderr.slice(-3000)}`)
}
