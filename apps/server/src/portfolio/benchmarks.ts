import { dayStamp, type EpochDay, SECOND } from '@tradewright/core/time'
import { type BenchmarkGrowth, benchmarkGrowth } from '@tradewright/engine/performance/relative-figures'
import { notAvailable } from '@tradewright/engine/performance/figure'
import { lastAtOrBefore } from '@tradewright/core/column'
import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { SeriesAnswer, SeriesFor } from '../market-data/series-for.ts'

export interface Benchmarks {
  readonly spy: BenchmarkGrowth
  readonly tqqq: BenchmarkGrowth
  readonly isSynthetic: boolean
  /** Tickers without a price, where synthetic ones would not do, and why. */
  readonly missing: readonly { readonly ticker: string; readonly reason: string }[]
  /** They are still being fetched: the next answer will have them. */
  readonly isPending: boolean
}

interface BenchmarkRequest {
  readonly userId: number
  readonly days: readonly EpochDay[]
  /** Whether prices of the sample market may stand in where there are no real ones. */
  readonly maySynthetic: boolean
}

export type BenchmarksFor = (request: BenchmarkRequest) => Promise<Benchmarks>

const TICKERS = ['SPY', 'TQQQ'] as const

/** Prices of some days before, for a start on a day without one. */
const DAYS_BEFORE = 12
/** An answer waits for the comparison no longer than this: the account's own figures are what was asked for. */
const PATIENCE = 0.25 * SECOND
const MAX_FETCH = 120 * SECOND
/** Prices of these tickers change once a day here. */
const REMEMBERED = 300 * SECOND
const REMEMBERED_ANSWERS = 200

interface BenchmarkDeps {
  readonly seriesFor: SeriesFor
  readonly now: () => number
  readonly onFailure: (error: unknown, message: string) => void
}

interface Memoized {
  readonly answer: Promise<SeriesAnswer>
  readonly until: number
}

/** SPY and TQQQ from the user's own market data, real wherever there is any; what takes long goes on behind and is there the next time. */
export function createBenchmarks({ seriesFor, now, onFailure }: BenchmarkDeps): BenchmarksFor {
  const remembered = new Map<string, Memoized>()

  function seriesOf(userId: number, first: EpochDay, last: EpochDay, isRealOnly: boolean): Promise<SeriesAnswer> {
    const key = `${userId} ${first} ${last} ${isRealOnly}`
    const known = remembered.get(key)
    if (known && known.until > now()) return known.answer
    if (remembered.size >= REMEMBERED_ANSWERS) remembered.clear()
    const range = { from: dayStamp(first - DAYS_BEFORE), to: dayStamp(last + 1) }
    const request = { userId, tickers: TICKERS, range, granularity: '1d', provider: 'auto', isRealOnly } as const
    const answer = seriesFor(request, AbortSignal.timeout(MAX_FETCH))
    remembered.set(key, { answer, until: now() + REMEMBERED })
    answer.catch((error: unknown) => {
      remembered.delete(key)
      onFailure(error, 'the benchmarks could not be fetched')
    })
    return answer
  }

  return async ({ userId, days, maySynthetic }) => {
    const [first, last] = [days[0], days.at(-1)]
    if (first === undefined || last === undefined) return without(days, 'there are no account values in this period')
    try {
      const answer = await inTime(seriesOf(userId, first, last, !maySynthetic))
      if (!answer) return { ...without(days, 'the prices are still being fetched'), isPending: true }
      return {
        spy: benchmarkGrowth(answer.series.get('SPY'), days),
        tqqq: benchmarkGrowth(answer.series.get('TQQQ'), days),
        isSynthetic: answer.provenance.some(({ synthetic }) => synthetic),
        missing: TICKERS.filter((ticker) => !answer.series.has(ticker)).map((ticker) => ({
          ticker,
          reason: answer.missing.find((each) => each.ticker === ticker)?.reason ?? '',
        })),
        isPending: false,
      }
    } catch {
      return without(days, 'the prices could not be fetched')
    }
  }
}

function without(days: readonly EpochDay[], because: string): Benchmarks {
  const nothing = { growth: new Float64Array(days.length).fill(Number.NaN), totalReturn: notAvailable(because) }
  return { spy: nothing, tqqq: nothing, isSynthetic: false, missing: [], isPending: false }
}

/** Undefined when it takes longer. */
async function inTime<Answer>(work: Promise<Answer>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Raw closes of a day, of the session before where it has none; tickers without one are absent. */
export type ClosingPrices = (request: {
  readonly userId: number
  readonly tickers: readonly string[]
  readonly day: EpochDay
  readonly maySynthetic: boolean
}) => Promise<ReadonlyMap<string, ClosingPrice>>

interface ClosingPrice {
  readonly price: Usd
  /** The price comes from the synthetic sample market. */
  readonly isSynthetic: boolean
}

const CLOSING_DAYS_BEFORE = 10
const CLOSING_MAX_FETCH = 30 * SECOND

export const createClosingPrices =
  (seriesFor: SeriesFor, onFailure: (error: unknown, message: string) => void): ClosingPrices =>
  async ({ userId, tickers, day, maySynthetic }) => {
    if (tickers.length === 0) return new Map()
    const range = { from: dayStamp(day - CLOSING_DAYS_BEFORE), to: dayStamp(day + 1) }
    const request = { userId, tickers, range, granularity: '1d', provider: 'auto', isRealOnly: !maySynthetic } as const
    try {
      const { series, provenance } = await seriesFor(request, AbortSignal.timeout(CLOSING_MAX_FETCH))
      const madeUp = new Set(provenance.filter(({ synthetic }) => synthetic).map(({ ticker }) => ticker))
      return new Map(
        tickers.flatMap((ticker) => {
          const table = series.get(ticker)
          const close = table?.columns['close']?.[lastAtOrBefore(table.timestamps, dayStamp(day))]
          if (close === undefined || !Number.isFinite(close)) return []
          return [[ticker, { price: Decimal.fromNumber(close), isSynthetic: madeUp.has(ticker) }] as const]
        }),
      )
    } catch (error) {
      onFailure(error, 'the closing prices of a statement could not be fetched')
      return new Map()
    }
  }
