import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { cutLog, openCluster } from './cluster.ts'

/** Above the largest process number of Linux. */
const NO_PROCESS = 4_194_305

it('refuses to create a database while another program creates it, and goes on where that one was killed', async () => {
  const dataDir = temporaryFolder()
  const lockFile = join(dataDir, 'postgres.creating')
  writeFileSync(lockFile, `${process.ppid}\n`)
  await expect(openCluster(dataDir)).rejects.toThrow(
    `Another program (process ${process.ppid}) is creating the database in ${join(dataDir, 'postgres')}. Try again in a moment.`,
  )
  expect(readdirSync(dataDir)).toEqual(['postgres.creating'])

  writeFileSync(lockFile, `${NO_PROCESS}\n`)
  expect((await openCluster(dataDir)).folder).toBe(join(dataDir, 'postgres'))
  expect(existsSync(lockFile)).toBe(false)
})

it('cuts a log that has grown too large, and leaves any other', () => {
  const logFile = join(temporaryFolder(), 'postgres.log')
  cutLog(logFile)
  writeFileSync(logFile, 'x'.repeat(1_000))
  cutLog(logFile)
  expect(statSync(logFile).size).toBe(1_000)
  writeFileSync(logFile, Buffer.alloc(11 * 1024 * 1024))
  cutLog(logFile)
  expect(statSync(logFile).size).toBe(0)
})
