import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../test-support/temporary-folder.ts'
import { DiskFloor } from './disk-floor.ts'
import { createLog } from './log.ts'
import { makePrivate } from './private-folder.ts'

const MB = 1024 ** 2
const log = createLog({ logLevel: 'silent' })

function open(holdsDatabase = false) {
  const dataDir = temporaryFolder()
  const disk = { freeBytes: 10_000 * MB, bytes: 20_000 * MB }
  const floor = new DiskFloor({
    dataDir,
    floorBytes: 512 * MB,
    holdsDatabase,
    log,
    spaceOf: async () => disk,
    reserveAfterMs: 0,
  })
  return { dataDir, disk, floor }
}

it('refuses runs and large writes below the floor, with a sentence, and takes them again above it', async () => {
  const { disk, floor } = open()
  await floor.poll()
  expect(() => floor.assertNotLow()).not.toThrow()
  await floor.assertRoomFor(9_000 * MB)
  await expect(floor.assertRoomFor(9_600 * MB)).rejects.toMatchObject({ kind: 'too-large', code: 'disk.low' })
  disk.freeBytes = 500 * MB
  await floor.poll()
  expect(() => floor.assertNotLow()).toThrow('The disk of the server is nearly full')
  await expect(floor.assertRoomFor(1)).rejects.toThrow('nearly full')
  // What makes room is never refused.
  await floor.assertRoomFor(-5)
  disk.freeBytes = 600 * MB
  await floor.poll()
  expect(() => floor.assertNotLow()).not.toThrow()
})

it('tells when the disk becomes nearly full and has room again, once each, and again what could not be told', async () => {
  const { disk, floor } = open()
  const told: string[] = []
  let isAway = true
  floor.tellWith(async (isLow, free) => {
    if (isAway) throw new Error('The database is away.')
    told.push(`${isLow} ${free}`)
  })
  await floor.poll()
  disk.freeBytes = 100 * MB
  await floor.poll()
  isAway = false
  await floor.poll()
  await floor.poll()
  disk.freeBytes = 900 * MB
  await floor.poll()
  expect(told).toEqual(['true 100 MB', 'false 900 MB'])
})

it('asks for no more than a fifth of a small disk', async () => {
  const { disk, floor } = open()
  Object.assign(disk, { bytes: 200 * MB, freeBytes: 50 * MB })
  await floor.poll()
  expect(() => floor.assertNotLow()).not.toThrow()
})

it('keeps a reserve for the database, which goes when the disk is full and comes back', async () => {
  const { dataDir, disk, floor } = open(true)
  const reserve = join(dataDir, 'disk-reserve')
  await floor.poll()
  expect(statSync(reserve).size).toBe(48 * MB)
  expect(statSync(reserve).blocks * 512).toBeGreaterThanOrEqual(48 * MB)
  disk.freeBytes = 100 * MB
  await floor.poll()
  expect(existsSync(reserve)).toBe(false)
  disk.freeBytes = 550 * MB
  await floor.poll()
  expect(existsSync(reserve)).toBe(false)
  disk.freeBytes = 5_000 * MB
  await floor.poll()
  expect(existsSync(reserve)).toBe(true)
})

it.skipIf(process.platform === 'win32')('takes the rights of others to a data folder and what is in it', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'stores'))
  writeFileSync(join(folder, 'app-secret'), 'x')
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'stores'), 0o755)
  chmodSync(join(folder, 'app-secret'), 0o644)
  makePrivate(folder)
  const modes = [folder, join(folder, 'stores'), join(folder, 'app-secret')].map((path) => statSync(path).mode & 0o777)
  expect(modes).toEqual([0o700, 0o700, 0o600])
})
