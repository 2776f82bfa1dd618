import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { openCluster } from './cluster.ts'

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
