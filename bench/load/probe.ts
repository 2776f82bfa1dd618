// Loaded into the server's process before its program: measures its event loop and its memory, and writes them to a file.
import { writeFileSync } from 'node:fs'
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/** Contents of the probe file; delays are those since the last reset. */
export interface Probe {
  readonly delayP50Ms: number
  readonly delayP99Ms: number
  readonly delayMaxMs: number
  /** Processor time of the thread between two of its timers: what it held the loop up itself, however busy the machine. */
  readonly ownWorkP99Ms: number
  readonly ownWorkMaxMs: number
  /** One a second, since the start. */
  readonly rssMb: readonly number[]
}

const RESOLUTION_MS = 5
const file = process.env['BENCH_PROBE']

if (isMainThread && file) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const ownWork = createHistogram()
  let before = process.threadCpuUsage()
  setInterval(() => {
    const now = process.threadCpuUsage()
    ownWork.record(Math.max(1, now.user + now.system - before.user - before.system))
    before = now
  }, RESOLUTION_MS).unref()
  const rssMb: number[] = []
  // A fresh start, for what was slow while the program was loaded.
  process.on('SIGUSR2', () => {
    delay.reset()
    ownWork.reset()
  })
  const timer = setInterval(() => {
    rssMb.push(process.memoryUsage.rss() / 1024 ** 2)
    // The timer's own period is part of what is measured.
    const beyond = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
    const probe: Probe = {
      delayP50Ms: beyond(delay.percentile(50)),
      delayP99Ms: beyond(delay.percentile(99)),
      delayMaxMs: beyond(delay.max),
      ownWorkP99Ms: ownWork.percentile(99) / 1_000,
      ownWorkMaxMs: ownWork.max / 1_000,
      rssMb,
    }
    writeFileSync(file, JSON.stringify(probe))
  }, 1_000)
  timer.unref()
}
