import { setTimeout as pause } from 'node:timers/promises'
import { type Bench, benchRow } from '../bench.ts'
import { ScaleUser } from './client.ts'
import { type Machine, type Machines, openMachines } from './machines.ts'
import { scaleWork } from './work.ts'

const WORKERS = 4
const KILL_INTERVAL_MS = 10_000
const KILLS = 6
const KILLED_WITHIN_MS = 5 * 60_000

/** The work of `scale` on four workers, of which one is killed every 10 s: what is found has to be the same to the last bit. */
const bench: Bench = {
  name: 'killed-workers',
  async run(report) {
    const machines = await openMachines(1 + WORKERS)
    try {
      const web = await machines.start(0, 'main', { RUN_JOBS: 'off' })
      const user = await ScaleUser.signUp(() => web.url, 'scale')
      const workers = await Promise.all(Array.from({ length: WORKERS }, (_, i) => machines.start(i + 1, 'worker')))
      const all = await scaleWork(user)
      const found = new Map<string, Set<string>>()
      for (const { name, run } of all) found.set(name, new Set([await run()]))
      const { kills, rounds } = await whileKilled(machines, workers, async () => {
        for (const { name, run } of all) found.get(name)!.add(await run())
      })
      report(benchRow({ bench: 'killed-workers/workers killed', ours: kills, unit: 'kills' }))
      report(benchRow({ bench: 'killed-workers/runs of each work meanwhile', ours: rounds, unit: 'runs' }))
      for (const [name, results] of found) {
        const goal = { on: 'ours', under: 2 } as const
        const figure = `killed-workers/${name}, different results`
        report(benchRow({ bench: figure, ours: results.size, unit: 'results', goal }))
      }
    } finally {
      await machines.close()
    }
  },
}

export default bench

/** One worker after the other is killed and started again, until enough were. */
async function whileKilled(machines: Machines, workers: Machine[], work: () => Promise<void>) {
  const until = performance.now() + KILLED_WITHIN_MS
  const over = new AbortController()
  const killed: number[] = []
  let rounds = 0
  const killing = (async () => {
    while (killed.length < KILLS) {
      await pause(KILL_INTERVAL_MS, undefined, { signal: over.signal })
      const at = killed.length % workers.length
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
  }
  return { kills: killed.length, rounds }
}
