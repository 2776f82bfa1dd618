import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { runBacktest } from '@tradewright/engine/backtest/run-backtest'
import type { TaskContext } from '../../workers/task.ts'
import { learnerOn } from '../learner-on.ts'
import { changedParts, dataDifferences, figureDifferences, type PassportVerdict } from './compare-passport.ts'
import { assertReadable, packedValues, unpackTable } from './packed-rows.ts'
import type { Passport } from './passport.ts'
import { takeOver } from './read-passport.ts'

interface VerifyPayload {
  /** See `ReadPassport`. */
  readonly bytes: Uint8Array
  /** Undefined where this instance has no such data. */
  readonly ours: MarketData | undefined
}

/** A compute task: runs what a passport says once more, on its own rows where it has them, and compares. */
export async function run({ bytes, ours }: VerifyPayload, context: TaskContext): Promise<PassportVerdict> {
  const passport = takeOver(bytes)
  const theirs = dataOf(passport)
  const data = theirs ?? ours
  if (!data) throw new Error('there are no rows to verify a passport with')
  const { request, model } = passport
  const changed = changedParts(passport, theirs, ours)
  const result = await runBacktest(planBacktest(request), data, model && learnerOn(context, model), {
    onProgress: () => {},
    signal: {
      get aborted() {
        return context.isCancelled()
      },
    },
  })
  return {
    changed,
    data: dataDifferences(passport, theirs, ours),
    figures: figureDifferences(passport, result),
    comparedFigures: Object.keys(passport.result.figures).length + Object.keys(passport.result.columns).length,
    comparedSeries: passport.series.length,
  }
}

/** Undefined where a series is without its rows. */
function dataOf({ series }: Passport): MarketData | undefined {
  if (series.some(({ data }) => data === undefined)) return undefined
  assertReadable(series.map((one) => packedValues(one, one.data!)))
  const actions = series.flatMap(({ ticker, data }) => (data?.actions ? [[ticker, data.actions] as const] : []))
  return {
    series: new Map(series.map((one) => [one.ticker, unpackTable(one, one.data!)])),
    actions: new Map(actions),
  }
}
