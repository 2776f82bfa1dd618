import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { studyForm } from '../../apps/server/test-support/studies.ts'
import { type Bench, benchRow } from '../bench.ts'
import { ScaleUser } from './client.ts'
import { type Machine, type Machines, openMachines } from './machines.ts'

/** Nine years of days, a few seconds of work for one processor. */
const form = {
  ...studyForm,
  backtest: { ...studyForm.backtest, startDate: '2013-01-02' },
  numbers: [
    { path: 'root.condition.right.params.window', from: 50, to: 200, step: 10 },
    { path: 'root.condition.tolerance.size', from: 0, to: 6, step: 1 },
  ],
}
const WORKERS = [1, 2, 4]
const BACKTESTS = 12
const KILL_INTERVAL_MS = 10_000
const KILLS = 3
const KILLED_WITHIN_MS = 10 * 60_000

const variants = form.numbers.reduce((count, { from, to, step }) => count * (Math.round((to - from) / step) + 1), 1)

/**
 * One web process and 1, 2 and 4 workers of one thread, each in a network namespace of its own, on one PostgreSQL and one
 * bucket. More workers than processors cannot be faster. Then the same study while a worker is killed every 10 s.
 */
const bench: Bench = {
  name: 'scale',
  async run(report) {
    const machines = await openMachines(1 + WORKERS.at(-1)!)
    try {
      const web = await machines.start(0, 'main', { RUN_JOBS: 'off' })
      const user = await ScaleUser.signUp(() => web.url, 'scale')
      const found = new Set<string>()
      let alone = { study: 0, backtests: 0 }
      for (const count of WORKERS) {
        const workers = await Promise.all(Array.from({ length: count }, (_, i) => machines.start(i + 1, 'worker')))
        // Prices are fetched and code is compiled before the measurement.
        await user.study(form)
        const study = await perSecond(variants, async () => void found.add(await user.study(form)))
        await user.backtest()
        const backtests = await perSecond(BACKTESTS, async () => {
          await Promise.all(Array.from({ length: BACKTESTS }, () => user.backtest()))
        })
        if (count === 1) alone = { study, backtests }
        const words = `${count} worker${count === 1 ? '' : 's'} on ${availableParallelism()} processors`
        const peer = (value: number) => (count > 1 ? { peer: { name: '1 worker', value } } : {})
        report(
          benchRow({ bench: `scale/variants of a study, ${words}`, ours: study, unit: '1/s', ...peer(alone.study) }),
        )
        report(benchRow({ bench: `scale/backtests, ${words}`, ours: backtests, unit: '1/s', ...peer(alone.backtests) }))
        await Promise.all(workers.map((worker) => worker.stop()))
      }
      const { kills, studies } = await whileKilled(machines, user, found)
      report(benchRow({ bench: 'scale/workers killed meanwhile', ours: kills, unit: 'kills' }))
      report(benchRow({ bench: 'scale/studies meanwhile', ours: studies, unit: 'studies' }))
      const goal = { on: 'ours', under: 2 } as const
      report(benchRow({ bench: 'scale/different results of all studies', ours: found.size, unit: 'results', goal }))
    } finally {
      await machines.close()
    }
  },
}

export default bench

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return (count * 1000) / (performance.now() - began)
}

/** Four workers, of which one after the other is killed and started again, until enough were. */
async function whileKilled(machines: Machines, user: ScaleUser, found: Set<string>) {
  const count = WORKERS.at(-1)!
  const workers: Machine[] = await Promise.all(Array.from({ length: count }, (_, i) => machines.start(i + 1, 'worker')))
  const until = performance.now() + KILLED_WITHIN_MS
  const killed: number[] = []
  let studies = 0
  const over = new AbortController()
  const killing = (async () => {
    while (killed.length < KILLS) {
      await pause(KILL_INTERVAL_MS, undefined, { signal: over.signal })
      const at = killed.length % count
      killed.push(at)
      await workers[at]!.stop('SIGKILL')
      workers[at] = await machines.start(at + 1, 'worker')
    }
  })()
  try {
    while (killed.length < KILLS && performance.now() < until) {
      found.add(await user.study(form))
      studies++
    }
  } finally {
    over.abort()
    await killing.catch(() => {})
    await Promise.all(workers.map((worker) => worker.stop()))
  }
  return { kills: killed.length, studies }
}
