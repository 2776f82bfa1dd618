import { execFileSync } from 'node:child_process'
import { closeSync, globSync, mkdirSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '@tradewright/core/random'
import { checkFinally } from './checker.ts'
import type { Findings } from './findings.ts'
import { ScriptedUser } from './scripted-user.ts'
import { openStage, type Stage } from './stage.ts'

const DISK_MEGABYTES = 300
const WRITES = 30

/** A database whose disk runs full while users write: 503 answers, nothing lost, and all is well once there is room. */
export async function fullDisk(folder: string, findings: Findings): Promise<void> {
  const disk = join(folder, 'small-disk')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    console.log('Full disk: skipped, since a small disk cannot be mounted here (it needs root on Linux).')
    return
  }
  try {
    const stage = await openStage(disk, { hasWorker: false })
    try {
      await writeOnFullDisk(stage, disk, findings)
    } finally {
      await stage.close()
    }
  } finally {
    execFileSync('umount', ['-l', disk])
  }
}

async function writeOnFullDisk(stage: Stage, disk: string, findings: Findings): Promise<void> {
  const user = new ScriptedUser(stage.address, 1, new Random(1), findings)
  await user.arrive()
  for (let write = 0; write < WRITES; write++) await user.saveList()
  const filler = join(disk, 'filler')
  fill(filler)
  for (let write = 0; write < WRITES; write++) {
    await user.saveStrategy()
    await user.importPrices()
  }
  rmSync(filler)
  if (!(await stage.untilHealthy(120_000))) findings.violation('the server did not come back', 'after a full disk')
  const before = user.journal.strategies.length
  for (let write = 0; write < WRITES; write++) await user.saveStrategy()
  if (user.journal.strategies.length === before) findings.violation('no write after a full disk', user.name)
  await checkFinally(stage.database, [user], findings, 30_000)
  findings.count('phases: full disk')
}

function fill(path: string): void {
  const block = Buffer.alloc(1024 * 1024)
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, block)
  } catch {
    // Full: a part of a block may still fit.
    try {
      for (;;) writeSync(file, block.subarray(0, 512))
    } catch {
      return
    }
  } finally {
    closeSync(file)
  }
}

/** Data files that are cut short: their owner is told or gets them fetched again; nothing else notices. */
export async function corruptFiles(stage: Stage, users: readonly ScriptedUser[], findings: Findings): Promise<void> {
  const files = globSync('**/*.parquet', { cwd: stage.dataDir }).slice(0, 20)
  for (const file of files) truncateSync(join(stage.dataDir, file), 100)
  findings.count('data files cut short', files.length)
  for (const user of users.slice(0, 10)) await user.backtest()
  if (!(await stage.isHealthy())) findings.violation('the server is not healthy', 'after data files were cut short')
  findings.count('phases: corrupt files')
}
