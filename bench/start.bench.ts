import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../apps/server/src/free-port.ts'
import { benchRow, median, type Bench } from './bench.ts'

const ROOT = dirname(import.meta.dirname)
const SECOND_STARTS = 3
const GIVE_UP_AFTER_MS = 60_000

/** How long `npm start` takes until the service answers: with an empty folder, and with the one it left behind. */
const start: Bench = {
  name: 'start',
  async run(report) {
    const dataDir = mkdtempSync(join(tmpdir(), 'tradewright-bench-'))
    try {
      const first = await secondsToHealthy(dataDir)
      report(benchRow({ bench: 'start/first', ours: first, unit: 's' }))
      const later: number[] = []
      for (let round = 0; round < SECOND_STARTS; round++) later.push(await secondsToHealthy(dataDir))
      const goal = { on: 'ours', under: 3 } as const
      report(benchRow({ bench: 'start/second', ours: median(later), unit: 's', goal }))
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}
export default start

async function secondsToHealthy(dataDir: string): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  // A group of its own, to be stopped as a terminal does it: Ctrl-C reaches npm and everything below it.
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), DATABASE_URL: '', APP_URL: undefined },
  })
  const ended = once(npm, 'close')
  try {
    await untilHealthy(`http://127.0.0.1:${port}/health`, began + GIVE_UP_AFTER_MS)
    return (performance.now() - began) / 1000
  } finally {
    process.kill(-npm.pid!, 'SIGINT')
    await ended
  }
}

async function untilHealthy(url: string, deadline: number): Promise<void> {
  while (performance.now() < deadline) {
    const isHealthy = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isHealthy) return
    await pause(10)
  }
  throw new Error('npm start did not become healthy within a minute')
}
