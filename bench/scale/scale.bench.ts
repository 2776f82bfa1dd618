import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { allocationForm } from '../../apps/server/test-support/backtest-form.ts'
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
/** Ten years of hours: checks that take some seconds. */
const checked = { ...allocationForm, ...studyForm.backtest, startDate: '2012-01-03', dataGranularity: 'hourly' }
const WORKERS = [1, 2, 4]
const BACKTESTS = 12
const KILL_INTERVAL_MS = 10_000
const KILLS = 3
const KILLED_WITHIN_MS = 10 * 60_000

const variants = form.numbers.reduce((count, { from, to, step }) => count * (Math.round((to - from) / step) + 1), 1)

/**
 * One web process and 1, 2 and 4 workers of one thread, each in a network namespace of its own, on one PostgreSQL and one
 * bucket. More workers than processors cannot be faster. Then the same study and board while a worker is killed every 10 s.
 */
const bench: Bench = {
  name: 'scale',
  async run(report) {
    const machines = await openMachines(1 + WORKERS.at(-1)!)
    try {
      const web = await machines.start(0, 'main', { RUN_JOBS: 'off' })
      const user = await ScaleUser.signUp(() => web.url, 'scale')
      const found = { studies: new Set<string>(), boards: new Set<string>() }
      let alone = { study: 0, backtests: 0, board: 0 }
      let run: number | undefined
      for (const count of WORKERS) {
        const workers = await Promise.all(Array.from({ length: count }, (_, i) => machines.start(i + 1, 'worker')))
        // Prices are fetched and code is compiled before the measurement.
        await user.study(form)
        const study = await perSecond(variants, async () => void found.studies.add(await user.study(form)))
        await user.backtest()
        const backtests = await perSecond(BACKTESTS, async () => {
          await Promise.all(Array.from({ length: BACKTESTS }, () => user.backtest()))
        })
        run ??= await user.backtest(checked)
        await user.board(run)
        const id = run
        const board = 1 / (await perSecond(1, async () => void found.boards.add(await user.board(id))))
        if (count === 1) alone = { study, backtests, board }
        const words = `${count} worker${count === 1 ? '' : 's'} on ${availableParallelism()} processors`
        const peer = (value: number) => (count > 1 ? { peer: { name: '1 worker', value } } : {})
        report(
          benchRow({ bench: `scale/variants of a study, ${words}`, ours: study, unit: '1/s', ...peer(alone.study) }),
        )
        report(benchRow({ bench: `scale/backtests, ${words}`, ours: backtests, unit: '1/s', ...peer(alone.backtests) }))
        report(benchRow({ bench: `scale/robustness board, ${words}`, ours: board, unit: 's', ...peer(alone.board) }))
        await Promise.all(workers.map((worker) => worker.stop()))
      }
      const { kills, rounds } = await whileKilled(machines, async () => {
        found.studies.add(await user.study(form))
        found.boards.add(await user.board(run!))
      })
      report(benchRow({ bench: 'scale/workers killed meanwhile', ours: kills, unit: 'kills' }))
      report(benchRow({ bench: 'scale/studies and boards meanwhile', ours: rounds, unit: 'of each' }))
      const goal = { on: 'ours', under: 2 } as const
      const different = (what: string, results: Set<string>) =>
        report(benchRow({ bench: `scale/different results of all ${what}`, ours: results.size, unit: 'results', goal }))
      different('studies', found.studies)
      different('boards', found.boards)
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
async function whileKilled(machines: Machines, work: () => Promise<void>) {
  const count = WORKERS.at(-1)!
  const workers: Machine[] = await Promise.all(Array.from({ length: count }, (_, i) => machines.start(i + 1, 'worker')))
  const until = performance.now() + KILLED_WITHIN_MS
  const killed: number[] = []
  let rounds = 0
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
      await work()
      rounds++
    }
  } finally {
    over.abort()
    await killing.catch(() => {})
    await Promise.all(workers.map((worker) => worker.stop()))
  }
  return { kills: killed.length, rounds }
}
