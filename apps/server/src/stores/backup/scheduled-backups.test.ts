import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { createLog } from '../../log.ts'
import { backUpWhenDue } from './scheduled-backups.ts'

const log = createLog({ logLevel: 'silent' })
const HOUR = 3_600_000

it('makes a backup when the newest is old enough, and keeps the newest ones', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'notes.txt'), 'not a backup')
  let now = Date.parse('2026-03-01T02:00:00Z')
  const surroundings = {
    schedule: { folder, everyHours: 24, keep: 2, test: true },
    clock: { now: () => new Date(now) },
    log,
    makeBackup: async (file: string) => {
      writeFileSync(file, 'archive')
      return 'done'
    },
  }
  for (let hours = 0; hours <= 72; hours++, now += HOUR) await backUpWhenDue(surroundings)
  const kept = ['notes.txt', 'tradewright-2026-03-03T02-00-00Z.tar.gz', 'tradewright-2026-03-04T02-00-00Z.tar.gz']
  expect(readdirSync(folder).sort()).toEqual(kept)

  now = Date.parse('2026-03-06T02:00:00Z')
  await backUpWhenDue({ ...surroundings, makeBackup: () => Promise.reject(new Error('disk full')) })
  expect(readdirSync(folder).sort(), 'a failed one removes nothing').toEqual(kept)
})

it('counts no backup that did not pass its test, and removes what a killed one left', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'tradewright-2026-02-28T02-00-00Z.tar.gz.unfinished'), 'cut short')
  let now = Date.parse('2026-03-01T02:00:00Z')
  const surroundings = {
    schedule: { folder, everyHours: 24, keep: 1, test: true },
    clock: { now: () => new Date(now) },
    log,
    makeBackup: async (file: string) => {
      writeFileSync(file, 'archive')
      if (now < Date.parse('2026-03-01T05:00:00Z')) throw new Error('a row is missing')
      return 'done'
    },
  }
  expect(await backUpWhenDue(surroundings)).toBe(false)
  expect(readdirSync(folder)).toEqual(['tradewright-2026-03-01T02-00-00Z.tar.gz.failed'])
  now += HOUR
  expect(await backUpWhenDue(surroundings)).toBe(false)
  now += 2 * HOUR
  expect(await backUpWhenDue(surroundings)).toBe(true)
  expect(readdirSync(folder).sort()).toEqual([
    'tradewright-2026-03-01T03-00-00Z.tar.gz.failed',
    'tradewright-2026-03-01T05-00-00Z.tar.gz',
  ])
})
