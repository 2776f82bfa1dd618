import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import { coinOf, tickerKind, type TickerKind } from '@tradewright/core/ticker-kind'
import {
  type TimeRange,
  civilDate,
  DAY,
  dayStamp,
  type EpochDay,
  HOUR,
  MINUTE,
  toEpochDay,
  weekday,
  epochDayOf,
} from '@tradewright/core/time'
import { lowerBound } from '@tradewright/core/column'
import { type CorporateActions, noActions } from '../corporate-actions.ts'
import { type Rows, rowsInRange, aggregateBars } from '../layers/rows.ts'
import {
  type DailyBars,
  BarBuilder,
  newMove,
  toTick,
  type DerivativeDays,
  derivativeDays,
  type DerivativeKind,
  exchangeBars,
  VolumePace,
} from './exchange-bars.ts'
import {
  economyOf,
  type Economy,
  type EconomicMonth,
  roundTo,
  coinFactors,
  exchangeFactors,
  type CoinFactors,
  SAMPLE_END,
} from './economy.ts'
import { coinUniverse, exchangeUniverse, type CoinTraits } from './universe.ts'
import { ClusteredVolatility, Noise, portableExp } from './noise.ts'
import { publishedAt } from '../known-at.ts'
import { barStamps, calendarOf, type TradingCalendar } from '../trading-calendar.ts'

/** The statistics offices publish at 8:30 in New York; we take the later of the two seasons. */
const MORNING = 13 * HOUR + 30 * MINUTE

const nextMonth = (day: EpochDay): EpochDay => {
  const { year, month } = civilDate(day)
  return month === 12 ? toEpochDay(year + 1, 1, 1) : toEpochDay(year, month + 1, 1)
}

const firstFriday = (monthStart: EpochDay): EpochDay => monthStart + ((5 - weekday(monthStart) + 7) % 7)

interface MonthlySeries {
  readonly value: (month: EconomicMonth) => number
  /** From the first day of the month after. */
  readonly published: (nextMonthStart: EpochDay) => EpochDay
}

const MONTHLY: Readonly<Record<string, MonthlySeries>> = {
  CPIAUCSL: { value: (month) => month.priceIndex, published: (start) => start + 12 },
  CPIAUCNS: { value: (month) => month.seasonalPriceIndex, published: (start) => start + 12 },
  UNRATE: { value: (month) => month.unemployment, published: firstFriday },
  FEDFUNDS: { value: (month) => month.fedFunds, published: (start) => start + 1 },
  TB3MS: { value: (month) => month.bill, published: (start) => start + 1 },
}

const DAILY: Readonly<Record<string, (economy: Economy) => Float64Array>> = {
  DTB3: (economy) => economy.bill,
  DFF: (economy) => economy.fedFunds,
  DGS10: (economy) => economy.tenYear,
}

const economicUniverse: readonly string[] = [...Object.keys(MONTHLY), ...Object.keys(DAILY)]

/** Every observation of one series with the instant it was published. */
function economicSeries(ticker: string, economy: Economy, sessions: Int32Array): Rows {
  const monthly = MONTHLY[ticker]
  if (monthly) return monthlySeries(monthly, economy)
  const daily = DAILY[ticker]
  if (!daily) throw new RangeError(`the sample market has no economic series ${ticker}`)
  const timestamps = new Float64Array(sessions).map(dayStamp)
  return {
    timestamps,
    columns: { value: daily(economy).map((rate) => roundTo(rate, 2)) },
    knownAt: timestamps.map((stamp) => publishedAt(stamp, 'daily')),
  }
}

function monthlySeries({ value, published }: MonthlySeries, { months }: Economy): Rows {
  return {
    timestamps: Float64Array.from(months, ({ firstDay }) => dayStamp(firstDay)),
    columns: { value: Float64Array.from(months, value) },
    knownAt: Float64Array.from(months, ({ firstDay }) => published(nextMonth(firstDay)) * DAY + MORNING),
  }
}

/** Chosen among many for prices that do not surprise: nothing else depends on it. */
const SAMPLE_SEED = 469

const DERIVATIVES: Readonly<Record<string, DerivativeKind>> = {
  FR: 'funding_rate',
  OI: 'open_interest',
  LS: 'long_short_ratio',
  LIQ: 'liquidations',
}

/** Every ticker the sample market has. */
export const sampleTickers: readonly string[] = [
  ...exchangeUniverse.map(({ ticker }) => ticker),
  ...coinUniverse.map(({ ticker }) => ticker),
  ...coinUniverse.flatMap(({ coin }) => Object.keys(DERIVATIVES).map((suffix) => `${coin}-${suffix}`)),
  ...economicUniverse,
]

export interface SampleSeries extends Rows {
  readonly actions: CorporateActions
}

export interface SampleMarket {
  /** Undefined where the sample market has no such series: an unknown ticker, or minutes of an economic one. */
  series(ticker: string, granularity: Granularity, range: TimeRange): SampleSeries | undefined
}

/**
 * A made-up market, the same on every machine for the same seed. The whole history is one fixed object of which a range
 * is a slice, so what is asked for, in which order and up to when never changes a value. Daily bars are computed per
 * ticker when first needed, minutes per day from the daily bar and a seed of their own.
 */
export function sampleMarket(seed: number = SAMPLE_SEED): SampleMarket {
  const factors = once(() => exchangeFactors(seed))
  const economy = once(() => economyOf(seed, factors()))
  const coins = once(() => coinFactors(seed, factors()))
  const bars = new Map<string, () => DailyBars>([
    ...exchangeUniverse.map((traits) => entry(traits.ticker, () => exchangeBars(seed, traits, factors(), economy()))),
    ...coinUniverse.map((traits) => entry(traits.ticker, () => coinBars(seed, traits, coins()))),
  ])
  const derivatives = new Map<string, () => DerivativeDays>(
    coinUniverse.flatMap((traits) =>
      Object.entries(DERIVATIVES).map(([suffix, kind]) =>
        entry(`${traits.coin}-${suffix}`, () => derivativeDays(seed, traits, kind, bars.get(traits.ticker)!())),
      ),
    ),
  )
  const economic = new Map<string, () => Rows>(
    economicUniverse.map((ticker) => entry(ticker, () => economicSeries(ticker, economy(), factors().sessions))),
  )

  const rowsOf = (ticker: string, kind: TickerKind, granularity: Granularity, range: TimeRange): Rows | undefined => {
    const stream = { seed, ticker, kind }
    const daily = bars.get(ticker)?.()
    if (daily) return granularity === '1d' ? dailyRows(daily, range) : intradayRows(stream, daily, granularity, range)
    const values = derivatives.get(ticker)?.()
    if (values) {
      return granularity === '1d'
        ? dailyValueRows(values, range)
        : intradayValueRows(stream, values, granularity, range)
    }
    const observations = granularity === '1d' ? economic.get(ticker)?.() : undefined
    return observations && rowsInRange(observations, range)
  }

  return {
    series(symbol, granularity, range) {
      const ticker = canonical(symbol)
      const rows = rowsOf(ticker, tickerKind(ticker), granularity, range)
      return (
        rows && { ...rows, actions: granularity === '1d' ? (bars.get(ticker)?.().actions ?? noActions) : noActions }
      )
    },
  }
}

/** `BTC-USD-FR` and `BTCUSDT-FR` are BTC-FR. */
function canonical(symbol: string): string {
  const suffix = Object.entries(DERIVATIVES).find(([, kind]) => kind === tickerKind(symbol))?.[0]
  return suffix === undefined ? symbol.replace(/^FRED:/, '') : `${coinOf(symbol)}-${suffix}`
}

const entry = <T>(key: string, make: () => T): [string, () => T] => [key, once(make)]

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

const DAYS_PER_YEAR = 365

/** The daily bars of a coin: every UTC day, each opening where the one before closed. */
function coinBars(seed: number, traits: CoinTraits, factors: CoinFactors): DailyBars {
  const days = Int32Array.from({ length: SAMPLE_END - traits.listedOn }, (_, i) => traits.listedOn + i)
  const builder = new BarBuilder(days, traits.firstPrice)
  const noise = new Noise(seed, traits.ticker)
  const ownVolatility = traits.own / Math.sqrt(DAYS_PER_YEAR)
  const own = new ClusteredVolatility(ownVolatility)
  const pace = new VolumePace(traits.volume)
  const today = newMove()
  for (const day of days) {
    const move = traits.coins * factors.moves[day - factors.firstDay]! + own.next(noise, ownVolatility)
    const spread = 0.012 + 0.35 * Math.abs(move)
    today.close = portableExp(move)
    today.above = 1 + spread * Math.abs(noise.normal())
    today.below = 1 / (1 + spread * Math.abs(noise.normal()))
    today.volume = pace.next(noise, Math.abs(move) / 0.03)
    builder.add(today)
  }
  return builder.finish()
}

/** Which stream of chance the minutes of a ticker come from. */
interface Stream {
  readonly seed: number
  readonly ticker: string
  readonly kind: TickerKind
}

const dailyRows = ({ timestamps, open, high, low, close, volume }: DailyBars, range: TimeRange): Rows =>
  rowsInRange({ timestamps, columns: { open, high, low, close, volume } }, range)

const dailyValueRows = ({ timestamps, values }: DerivativeDays, range: TimeRange): Rows =>
  rowsInRange({ timestamps, columns: { value: values } }, range)

/** Bars of each day in the range, made of minutes that add up to the daily bar. */
function intradayRows(stream: Stream, daily: DailyBars, granularity: Granularity, range: TimeRange): Rows {
  return joinDays(
    stream,
    daily.timestamps,
    granularity,
    range,
    ['open', 'high', 'low', 'close', 'volume'],
    (row, count, noise) => {
      const { open, high, low, close, volume } = daily
      const bar = { open: open[row]!, high: high[row]!, low: low[row]!, close: close[row]!, volume: volume[row]! }
      return { ...minutesOf(bar, count, noise) }
    },
  )
}

function intradayValueRows(stream: Stream, daily: DerivativeDays, granularity: Granularity, range: TimeRange): Rows {
  const { timestamps, values, isFlow } = daily
  return joinDays(
    stream,
    timestamps,
    granularity,
    range,
    ['value'],
    (row, count, noise) => ({
      value: isFlow
        ? spreadOver(values[row]!, count, noise)
        : levelPath(values[row - 1] ?? values[row]!, values[row]!, count, noise),
    }),
    isFlow ? ['value'] : [],
  )
}

type MinutesOfDay = (row: number, count: number, noise: Noise) => Record<string, Float64Array>

function joinDays(
  { seed, ticker, kind }: Stream,
  timestamps: Float64Array,
  granularity: Granularity,
  range: TimeRange,
  categories: readonly string[],
  minutes: MinutesOfDay,
  flows: readonly string[] = [],
): Rows {
  const calendar = calendarOf(kind)
  if (!calendar) throw new Error(`${ticker} has no sessions to divide into minutes`)
  const parts: Rows[] = []
  const start = lowerBound(timestamps, dayStamp(epochDayOf(range.from)))
  const end = lowerBound(timestamps, range.to)
  for (let row = start; row < end; row++) {
    const day = epochDayOf(timestamps[row]!)
    const stamps = barStamps(calendar, day, '1m')
    const columns = minutes(row, stamps.length, new Noise(seed, ticker, day))
    parts.push(coarser({ timestamps: stamps, columns }, granularity, calendar, flows))
  }
  return rowsInRange(concatenate(parts, categories), range)
}

const coarser = (rows: Rows, granularity: Granularity, calendar: TradingCalendar, flows: readonly string[]): Rows =>
  granularityMillis(granularity) === MINUTE ? rows : aggregateBars(rows, granularity, calendar, flows)

function concatenate(parts: readonly Rows[], categories: readonly string[]): Rows {
  const length = parts.reduce((sum, { timestamps }) => sum + timestamps.length, 0)
  const join = (column: (part: Rows) => Float64Array) => {
    const joined = new Float64Array(length)
    let at = 0
    for (const part of parts) {
      joined.set(column(part), at)
      at += part.timestamps.length
    }
    return joined
  }
  return {
    timestamps: join(({ timestamps }) => timestamps),
    columns: Object.fromEntries(categories.map((category) => [category, join(({ columns }) => columns[category]!)])),
  }
}

/** One day's bar, to be told minute by minute. */
interface DayBar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

interface MinuteBars {
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

/** Minutes that together are exactly the day's bar: its open, high, low, close and volume. */
function minutesOf(day: DayBar, count: number, noise: Noise): MinuteBars {
  const path = pricePath(day, count, noise)
  const open = path.subarray(0, count)
  const close = path.subarray(1)
  const column = () => new Float64Array(count)
  const [high, low] = [column(), column()]
  for (let i = 0; i < count; i++) {
    const [top, bottom] = [Math.max(open[i]!, close[i]!), Math.min(open[i]!, close[i]!)]
    // A little beyond the ends of the minute, but never beyond those of the day.
    high[i] = toTick(top + 0.02 * noise.uniform() * (day.high - top))
    low[i] = toTick(bottom - 0.02 * noise.uniform() * (bottom - day.low))
  }
  return { open, high, low, close, volume: spreadOver(day.volume, count, noise) }
}

/** A bridge from open to close whose highest and lowest points are those of the day; `count` + 1 points. */
function pricePath(day: DayBar, count: number, noise: Noise): Float64Array {
  const path = bridge(day, count, noise)
  const [top, bottom] = [Math.max(day.open, day.close), Math.min(day.open, day.close)]
  const [highest, lowest] = extremesInside(path)
  const stretchUp = stretch(path[highest]! - top, day.high - top)
  const stretchDown = stretch(bottom - path[lowest]!, bottom - day.low)
  for (let i = 1; i < count; i++) {
    const price = path[i]!
    if (price > top) path[i] = top + (price - top) * stretchUp
    else if (price < bottom) path[i] = bottom - (bottom - price) * stretchDown
    path[i] = Math.min(day.high, Math.max(day.low, toTick(path[i]!)))
  }
  if (day.high > top) path[highest] = day.high
  if (day.low < bottom) path[lowest] = day.low
  return path
}

const stretch = (reached: number, wanted: number): number => (reached > 0 ? wanted / reached : 0)

function bridge({ open, close, high, low }: DayBar, count: number, noise: Noise): Float64Array {
  const walk = new Float64Array(count + 1)
  for (let i = 1; i <= count; i++) walk[i] = walk[i - 1]! + noise.roughNormal()
  // The range of a random walk of n steps is about 1.6 times the root of n.
  const scale = (high - low) / (1.6 * Math.sqrt(count))
  const path = walk.map(
    (value, i) => open + ((close - open) * i) / count + scale * (value - (walk[count]! * i) / count),
  )
  path[0] = open
  path[count] = close
  return path
}

/** Where the path is highest and lowest, its ends left out; two different places. */
function extremesInside(path: Float64Array): [highest: number, lowest: number] {
  let [highest, lowest] = [1, 2]
  for (let i = 1; i < path.length - 1; i++) {
    if (path[i]! > path[highest]!) highest = i
    if (path[i]! < path[lowest]!) lowest = i
  }
  if (highest !== lowest) return [highest, lowest]
  return [highest, highest === 1 ? 2 : 1]
}

/** Whole parts of a whole amount, more at both ends of the day; they add up exactly. */
function spreadOver(total: number, count: number, noise: Noise): Float64Array {
  const weights = new Float64Array(count)
  let sum = 0
  for (let i = 0; i < count; i++) {
    const middle = (2 * i) / count - 1
    weights[i] = (0.5 + middle * middle) * (0.4 + 1.2 * noise.uniform())
    sum += weights[i]!
  }
  let [done, reached] = [0, 0]
  return weights.map((weight, i) => {
    reached += weight
    const until = i === count - 1 ? total : Math.floor((total * reached) / sum)
    const part = until - done
    done = until
    return part
  })
}

/** A level that wanders from yesterday's value to today's and arrives there in the last minute. */
function levelPath(before: number, after: number, count: number, noise: Noise): Float64Array {
  const width = (0.3 * Math.abs(after - before) + 0.002 * Math.abs(after)) / Math.sqrt(count)
  const walk = new Float64Array(count + 1)
  for (let i = 1; i <= count; i++) walk[i] = walk[i - 1]! + width * noise.roughNormal()
  return Float64Array.from({ length: count }, (_, i) => {
    if (i === count - 1) return after
    const share = (i + 1) / count
    return before + (after - before) * share + walk[i + 1]! - walk[count]! * share
  })
}
