import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { migrations } from '../migrate.ts'
import { checkArchive } from './restore-backup.ts'
import { TarWriter } from './tar.ts'

const sha256 = createHash('sha256').digest('hex')
const HEADER = {
  format: 1,
  version: '0.1.0',
  createdAt: '2026-03-01T02:00:00Z',
  migrations: Object.keys(migrations),
  tables: [{ name: 'users', columns: ['id'] }],
}
const MANIFEST = {
  tables: { users: { rows: 0, sha256 } },
  sequences: {},
  files: [{ path: 'stores/local/a.parquet', bytes: 0, sha256 }],
  filesElsewhere: 0,
}
const ofPath = (path: string) => ({ ...MANIFEST, files: [{ path, bytes: 0, sha256 }] })

/** An archive as anyone could write it, with an empty table and an empty file. */
async function archive(header: object, manifest: object, tables = ['users']): Promise<string> {
  const file = join(temporaryFolder(), 'backup.tar.gz')
  const gzip = createGzip()
  const written = pipeline(gzip, createWriteStream(file))
  const tar = new TarWriter(gzip, { modifiedAt: 0 })
  await tar.add('header.json', Buffer.from(JSON.stringify(header)))
  for (const table of tables) await tar.add(`tables/${table}/00000000`, Buffer.alloc(0))
  await tar.add('files/00000000', Buffer.alloc(0))
  await tar.add('manifest.json', Buffer.from(JSON.stringify(manifest)))
  await tar.finish()
  gzip.end()
  await written
  return file
}

it('accepts an archive that is whole', async () => {
  expect(await checkArchive(await archive(HEADER, MANIFEST))).toMatchObject({ manifest: MANIFEST })
})

it.each<[string, object, object, RegExp]>([
  ['leads out of DATA_DIR', HEADER, ofPath('stores/../../etc/cron.d/x'), /a file outside of its folders/],
  ['is absolute', HEADER, ofPath('/etc/passwd'), /a file outside of its folders/],
  ['is the secret', HEADER, ofPath('app-secret'), /a file outside of its folders/],
  ['is the folder itself', HEADER, ofPath('stores'), /a file outside of its folders/],
  ['is longer than a name can be', HEADER, ofPath(`stores/${'a'.repeat(300)}`), /a file outside of its folders/],
  ['has no tables', { ...HEADER, tables: [] }, MANIFEST, /is not a backup that this version can read/],
  ['is of an odd version', { ...HEADER, migrations: ['constructor'] }, MANIFEST, /does not know its database version/],
])('refuses one that %s, before anything is restored', async (_, header, manifest, sentence) => {
  await expect(checkArchive(await archive(header, manifest))).rejects.toThrow(sentence)
})

it('refuses one without the rows of a table that it names', async () => {
  const file = await archive(HEADER, { ...MANIFEST, tables: {} }, [])
  await expect(checkArchive(file)).rejects.toThrow('its content does not match its checksums')
})

it('reads no header of gigabytes into memory', async () => {
  const file = join(temporaryFolder(), 'backup.tar.gz')
  const gzip = createGzip()
  const written = pipeline(gzip, createWriteStream(file))
  const tar = new TarWriter(gzip, { modifiedAt: 0 })
  await tar.addStream('header.json', 9_000_000_000, []).catch(() => undefined)
  gzip.end()
  await written
  await expect(checkArchive(file)).rejects.toThrow('header.json is larger than it can be')
})
