import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { allocationForm, formData } from '../../apps/server/test-support/backtest-form.ts'
import { startProgram } from '../../apps/server/test-support/program.ts'
import { type Bench, benchRow } from '../bench.ts'
import { ProbeFile } from './probe-file.ts'
import { signedUp, type SignedUp } from './signed-up.ts'

const USERS = 50
const DEFAULT_MINUTES = 2
/** Between two pages of one user. */
const THINK_MS = 1_000
/** Percent of pages that are a backtest of the user's own. */
const BACKTEST_PCT = 2
const WARM_UP_MS = 10_000

/** The requests of the screens when they open. */
const READS = [
  '/api/user',
  '/api/strategies',
  '/api/backtests/all',
  '/api/deployment/list',
  '/api/optimization-runs',
  '/api/data-stores',
  '/api/ticker-lists',
  '/api/features',
  '/api/data-collector/jobs',
]

/** Fifty people who use one process at once: they open pages and now and then run a backtest. */
const load: Bench = {
  name: 'load',
  async run(report) {
    const minutes = Number(process.env['BENCH_MINUTES'] ?? DEFAULT_MINUTES)
    const folder = mkdtempSync(join(tmpdir(), 'tradewright-bench-'))
    const probeFile = new ProbeFile(folder)
    const program = await startProgram({ DATA_DIR: join(folder, 'data'), ...probeFile.environment })
    try {
      const users = await Promise.all(Array.from({ length: USERS }, (_, i) => signedUp(program.url, `user-${i}`)))
      const reads = await usableReads(users[0]!)
      await useFor(WARM_UP_MS, users, reads)
      probeFile.reset(program.process)
      const { readMs, backtestMs, failures } = await useFor(minutes * 60_000, users, reads)
      const probe = await probeFile.read()
      const rssMb = probe.rssMb.slice(-Math.round(minutes * 60))
      const row = (figure: string, ours: number, unit: string, under?: number) =>
        report(
          benchRow({
            bench: `load/${figure}`,
            ours,
            unit,
            ...(under !== undefined && { goal: { on: 'ours', under } as const }),
          }),
        )
      row('requests', readMs.length + backtestMs.length, 'requests')
      row('failures', failures, 'requests', 1)
      row('reads p50', at(readMs, 0.5), 'ms')
      row('reads p99', at(readMs, 0.99), 'ms', 150)
      row('backtests p50', at(backtestMs, 0.5), 'ms')
      row('backtests p99', at(backtestMs, 0.99), 'ms')
      row('event-loop delay p50', probe.delayP50Ms, 'ms')
      row('event-loop delay p99', probe.delayP99Ms, 'ms', 50)
      row('event-loop delay, longest', probe.delayMaxMs, 'ms')
      row('event loop held up by its own work, p99', probe.ownWorkP99Ms, 'ms')
      row('event loop held up by its own work, longest', probe.ownWorkMaxMs, 'ms')
      row('memory at the end', rssMb.at(-1)!, 'MB')
      row('memory slope over the second half', slopePerMinute(rssMb.slice(rssMb.length / 2)), 'MB/min')
    } finally {
      await program.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
export default load

interface Use {
  readonly readMs: number[]
  readonly backtestMs: number[]
  failures: number
}

async function useFor(durationMs: number, users: readonly SignedUp[], reads: readonly string[]): Promise<Use> {
  const use: Use = { readMs: [], backtestMs: [], failures: 0 }
  const end = performance.now() + durationMs
  await Promise.all(
    users.map(async (user, number) => {
      // Not all in the same instant.
      await wait((THINK_MS * number) / users.length)
      for (let page = number; performance.now() < end; page++) {
        const isBacktest = page % Math.round(100 / BACKTEST_PCT) === 0
        const began = performance.now()
        const isGood = isBacktest
          ? await user.sends('/api/backtest', backtestForm())
          : await user.gets(reads[page % reads.length]!)
        if (!isGood) use.failures += 1
        ;(isBacktest ? use.backtestMs : use.readMs).push(performance.now() - began)
        await wait(THINK_MS * (0.5 + Math.random()))
      }
    }),
  )
  return use
}

const backtestForm = () => formData({ ...allocationForm, startDate: '2018-01-02', endDate: '2022-12-30' })

/** A page that the program no longer has would be measured as a fast one. */
async function usableReads(user: SignedUp): Promise<string[]> {
  for (const path of READS) if (!(await user.gets(path))) throw new Error(`GET ${path} did not answer 200`)
  return READS
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The slope of the straight line through values that are a second apart. */
function slopePerMinute(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const along = values.reduce((sum, value, second) => sum + (second - middle) * (value - mean), 0)
  const spread = values.reduce((sum, _, second) => sum + (second - middle) ** 2, 0)
  return spread === 0 ? 0 : (60 * along) / spread
}
