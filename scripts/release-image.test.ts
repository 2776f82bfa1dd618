import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../apps/server/test-support/temporary-folder.ts'
import { writeRepeatable } from './release-image.ts'

const COMMITTED_AT = 1_750_000_000

/** As buildah writes it: the container that the image was built in is in its settings, and in the name of their file. */
async function archiveOf(container: string, layer = 'the files'): Promise<Buffer> {
  const folder = temporaryFolder()
  const config = {
    architecture: 'amd64',
    container,
    container_config: { Hostname: container },
    config: { User: '10001' },
  }
  writeFileSync(join(folder, `${container}.json`), JSON.stringify(config))
  writeFileSync(join(folder, 'layer.tar'), layer)
  const image = { Config: `${container}.json`, RepoTags: ['localhost/tradewright:1.2.3'], Layers: ['layer.tar'] }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify([image]))
  const archive = join(folder, 'image.tar')
  execFileSync('tar', ['-cf', archive, '-C', folder, `${container}.json`, 'layer.tar', 'manifest.json'])
  const to = join(folder, 'image.tar.gz')
  await writeRepeatable(archive, COMMITTED_AT, to)
  return readFileSync(to)
}

it('gives the same bytes for the same image, whichever container it was built in', async () => {
  const first = await archiveOf('afdaa7202242')
  expect((await archiveOf('cb8b37d52271')).equals(first)).toBe(true)
  expect((await archiveOf('afdaa7202242', 'other files')).equals(first)).toBe(false)
})

it('names the settings in the manifest by their checksum, as loading asks for', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'image.tar.gz'), await archiveOf('afdaa7202242'))
  execFileSync('tar', ['-xzf', 'image.tar.gz'], { cwd: folder })
  const [{ Config, RepoTags, Layers }] = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as [
    { Config: string; RepoTags: string[]; Layers: string[] },
  ]
  expect({ RepoTags, Layers }).toEqual({ RepoTags: ['localhost/tradewright:1.2.3'], Layers: ['layer.tar'] })
  expect(JSON.parse(readFileSync(join(folder, Config), 'utf8'))).toEqual({
    architecture: 'amd64',
    config: { User: '10001' },
  })
  expect(execFileSync('sha256sum', [Config], { cwd: folder, encoding: 'utf8' })).toContain(Config.replace('.json', ''))
})
