import { once } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { Worker } from 'node:worker_threads'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { runBacktest } from '@tradewright/engine/backtest/run-backtest'
import type { VariantResult } from '@tradewright/engine/study/evaluate'
import type { CheckFrequency } from '@tradewright/core/rules/tree'
import { type Bench, benchRow, median } from '../bench.ts'
import { cpuTime } from './cpu-time.ts'
import { type SweepPart, sweepData, sweepSettings, variantsOf } from './rules-sweep-work.ts'

const THREADS = 2
const REPEATS = 3

interface Answer {
  readonly figures: readonly VariantResult[]
  readonly cpuMs: number
}

/** Wall time on all threads, from the order to the last figure; processor time of the busiest thread. */
async function sweep(threads: readonly Worker[], check: CheckFrequency) {
  const { length } = variantsOf(check)
  const before = performance.now()
  const answers = await Promise.all(
    threads.map(async (thread, i): Promise<Answer> => {
      const part: SweepPart = {
        check,
        from: Math.floor((i * length) / threads.length),
        to: Math.floor(((i + 1) * length) / threads.length),
      }
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      thread.postMessage(part)
      const [answer] = (await once(thread, 'message')) as [Answer]
      return answer
    }),
  )
  return {
    wallMs: performance.now() - before,
    cpuMs: Math.max(...answers.map(({ cpuMs }) => cpuMs)),
    figures: answers.flatMap(({ figures }) => figures),
  }
}

/** Processor time of one ordinary backtest in milliseconds, so of a thousand in seconds. Its figures are those of the sweep. */
async function ordinary(check: CheckFrequency, figures: readonly VariantResult[]): Promise<number> {
  const data = sweepData()
  const variants = variantsOf(check)
  const times: number[] = []
  for (const place of [0, 333, 666, 999]) {
    const plan = planBacktest({ ...sweepSettings, strategy: { kind: 'rules', tree: variants[place]! } })
    times.push(
      await cpuTime(async () => {
        const { metrics } = await runBacktest(plan, data)
        const { sharpe, cagr, calmar, maxDrawdown } = metrics
        const expected = { sharpe, cagr, calmar, maxDrawdown: maxDrawdown.depth }
        const found = figures[place]!
        if ('problem' in found || !isDeepStrictEqual(found.inSample, expected))
          throw new Error(`variant ${place} differs from its backtest`)
      }),
    )
  }
  return median(times)
}

const bench: Bench = {
  name: 'backtest/rules-sweep',
  async run(report) {
    const threads = Array.from({ length: THREADS }, () => new Worker(new URL('rules-sweep-thread.ts', import.meta.url)))
    await Promise.all(threads.map((thread) => once(thread, 'message')))
    try {
      for (const check of ['monthly', 'daily'] as const) {
        const name = `backtest/rules-sweep/1000 variants, 20 years, 10 tickers, ${check} checks`
        const first = await sweep(threads, check)
        const runs = []
        for (let repeat = 0; repeat < REPEATS; repeat++) runs.push(await sweep(threads, check))
        const wall = median(runs.map(({ wallMs }) => wallMs)) / 1000
        const cpu = median(runs.map(({ cpuMs }) => cpuMs)) / 1000
        const goal = { on: 'ours', under: 2 } as const
        const one = { name: 'one by one', value: (await ordinary(check, first.figures)) / THREADS }
        report(benchRow({ bench: `${name}, first run, wall`, ours: first.wallMs / 1000, unit: 's', goal }))
        report(benchRow({ bench: `${name}, wall`, ours: wall, unit: 's', goal }))
        report(
          benchRow({
            bench: `${name}, processor time of a thread`,
            ours: cpu,
            unit: 's',
            peer: one,
            ratio: 'peer / ours',
          }),
        )
      }
    } finally {
      await Promise.all(threads.map((thread) => thread.terminate()))
    }
  },
}

export default bench
