import { execFileSync, spawnSync } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
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

it('has room for files of more than 8 GB', async () => {
  const bytes = 9_000_000_000
  const sink = new PassThrough()
  const tar = new TarWriter(sink, { modifiedAt: 0 })
  await expect(tar.addStream('large', bytes, [])).rejects.toThrow('large was 9000000000 bytes long')
  const header = sink.read() as Buffer
  const first = await readTar(Readable.from([header])).next()
  expect(first.value).toMatchObject({ name: 'large', bytes })
  const { stdout } = spawnSync('tar', ['-tvf', '-'], { input: header, encoding: 'utf8' })
  if (stdout) expect(stdout).toContain('9000000000')
})

it.each([
  ['a link', (header: Buffer) => header.write('2', 156)],
  ['a length that is no number', (header: Buffer) => header.write('-0000000001', 124)],
])('refuses %s', async (_, change) => {
  const sink = new PassThrough()
  await new TarWriter(sink, { modifiedAt: 0 }).add('one', Buffer.alloc(0))
  const header = sink.read() as Buffer
  change(header)
  header.write(' '.repeat(8), 148)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  await expect(readTar(Readable.from([header])).next()).rejects.toThrow('damaged: an entry is not a file')
})
