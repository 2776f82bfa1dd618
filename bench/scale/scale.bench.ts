import { availableParallelism } from 'node:os'
import { type Bench, benchRow, median } from '../bench.ts'
import { ScaleUser } from './client.ts'
import { type Machine, openMachines } from './machines.ts'
import { processorSeconds } from './processor-time.ts'
import { type ScaleWork, scaleWork } from './work.ts'

const WORKERS = [1, 2, 4]
/** A worker compiles the code that it runs often, and reads the prices once. */
const WARM_UPS = 2
const REPEATS = 3

interface Figures {
  readonly seconds: number
  readonly workerSeconds: number
}

/**
 * One web process and 1, 2 and 4 workers of one thread, each in a network namespace of its own, on one PostgreSQL and one
 * bucket. More workers than processors cannot be faster; the processor time tells what dividing the work costs.
 */
const bench: Bench = {
  name: 'scale',
  async run(report) {
    const machines = await openMachines(1 + WORKERS.at(-1)!)
    try {
      const web = await machines.start(0, 'main', { RUN_JOBS: 'off' })
      const user = await ScaleUser.signUp(() => web.url, 'scale')
      const workers: Machine[] = []
      const found = new Map<string, Set<string>>()
      const alone = new Map<string, Figures>()
      let all: ScaleWork[] | undefined
      for (const count of WORKERS) {
        while (workers.length < count) workers.push(await machines.start(workers.length + 1, 'worker'))
        all ??= await scaleWork(user)
        for (const work of all) {
          const { name, items, count: size } = work
          const results = found.get(name) ?? new Set()
          found.set(name, results)
          const figures = await measure(work, workers, results)
          if (count === 1) alone.set(name, figures)
          const words = `${count} worker${count === 1 ? '' : 's'} on ${availableParallelism()} processors`
          const one = alone.get(name)!
          const peer = (value: number) => (count > 1 ? { peer: { name: '1 worker', value } } : {})
          report(
            benchRow({
              bench: `scale/${name}, ${items}, ${words}`,
              ours: size / figures.seconds,
              unit: '1/s',
              ...peer(size / one.seconds),
            }),
          )
          report(
            benchRow({
              bench: `scale/${name}, processor time of the workers, ${words}`,
              ours: figures.workerSeconds,
              unit: 's',
              ...peer(one.workerSeconds),
            }),
          )
        }
      }
      for (const [name, results] of found) {
        const goal = { on: 'ours', under: 2 } as const
        report(benchRow({ bench: `scale/${name}, different results`, ours: results.size, unit: 'results', goal }))
      }
    } finally {
      await machines.close()
    }
  },
}

export default bench

/** Medians, after runs that do not count. */
async function measure(work: ScaleWork, workers: readonly Machine[], results: Set<string>): Promise<Figures> {
  const used = () => workers.reduce((sum, { process }) => sum + processorSeconds(process.pid!), 0)
  const measured: Figures[] = []
  for (let run = 0; run < WARM_UPS; run++) results.add(await work.run())
  while (measured.length < REPEATS) {
    const [began, before] = [performance.now(), used()]
    results.add(await work.run())
    measured.push({ seconds: (performance.now() - began) / 1000, workerSeconds: used() - before })
  }
  const middle = (of: keyof Figures) => median(measured.map((one) => one[of]))
  return { seconds: middle('seconds'), workerSeconds: middle('workerSeconds') }
}
