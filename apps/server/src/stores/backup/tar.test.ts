import { execFileSync } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { readTar, TarWriter } from './tar.ts'

const LONG = `${'folder/'.repeat(20)}name`
const CONTENTS: Record<string, Buffer> = {
  'empty.txt': Buffer.alloc(0),
  'block.bin': Buffer.alloc(512, 7),
  [LONG]: Buffer.alloc(100_001, 'tradewright'),
}

async function written(): Promise<string> {
  const file = join(temporaryFolder(), 'archive.tar')
  const sink = createWriteStream(file)
  const tar = new TarWriter(sink, { modifiedAt: 1_700_000_000 })
  for (const [name, content] of Object.entries(CONTENTS)) await tar.add(name, content)
  await tar.finish()
  sink.end()
  await finished(sink)
  return file
}

it('reads back what it wrote, long names and empty files too', async () => {
  const found: Record<string, Buffer> = {}
  for await (const { name, body } of readTar(createReadStream(await written()))) {
    found[name] = Buffer.concat(await Array.fromAsync(body))
  }
  expect(found).toEqual(CONTENTS)
})

it.skipIf(!existsSync('/usr/bin/tar') && !existsSync('/bin/tar'))('is a tar that others can list', async () => {
  const listed = execFileSync('tar', ['-tf', await written()], { encoding: 'utf8' })
  expect(listed.trim().split('\n')).toEqual(Object.keys(CONTENTS))
})

it('refuses content of another length than was promised', async () => {
  const tar = new TarWriter(new PassThrough(), { modifiedAt: 0 })
  await expect(tar.addStream('grown', 1, [Buffer.alloc(2)])).rejects.toThrow('grown was 1 bytes long and is 2 now')
})
