import { DAY, epochDayOf } from '@tradewright/core/time'
import type { Leverage } from '@tradewright/core/ticker'
import { type Frequency, inferFrequency, PERIODS_A_YEAR } from './known-at.ts'
import type { CategoryColumns } from './series.ts'

/** CASHX: a constant $100. */
export const cashSeries = (timestamps: Float64Array): Float64Array => new Float64Array(timestamps.length).fill(100)

/**
 * TBILLX: $100 that earn the 3-month Treasury bill, `ratePct` being the rate at each stamp in percent on the discount
 * basis of TB3MS and DTB3. It is turned into the bond-equivalent yield 365 d / (360 - 91 d) and accrues over calendar
 * days at the rate of the stamp before, with no power function, so it is the same on every machine.
 */
export function treasuryBillSeries(timestamps: Float64Array, ratePct: Float64Array): Float64Array {
  const values = new Float64Array(timestamps.length)
  let value = 100
  for (let row = 0; row < values.length; row++) {
    if (row > 0) {
      const discount = ratePct[row - 1]! / 100
      const yearly = (365 * discount) / (360 - 91 * discount)
      value *= 1 + (yearly * (timestamps[row]! - timestamps[row - 1]!)) / (365 * DAY)
    }
    values[row] = value
  }
  return values
}

const SESSIONS_PER_YEAR = 252
const BORROW_WEIGHT = 1.1
const SPREAD_PCT = 0.4
const EXPENSE_PCT_PER_POINT_ABOVE_ONE = 0.5
const EXPENSE_PCT_PER_POINT_BELOW_ZERO = 0.333

/**
 * The cost of a day of leverage as a fraction; negative where it earns. From one upwards money is borrowed: [SW (L - 1)
 * (rate + SP) + E] / 252. Below one the cash that is not invested, and of a short sale the proceeds, earn the rate,
 * while the position itself pays the spread: [|L| SP + E - (1 - L) rate] / 252.
 */
export function dailyLeverageCost(leverage: Leverage, ratePct: number): number {
  const { factor, expensePct, spreadPct = SPREAD_PCT, borrowWeight = BORROW_WEIGHT } = leverage
  const financingPct =
    factor >= 1
      ? borrowWeight * (factor - 1) * (ratePct + spreadPct)
      : Math.abs(factor) * spreadPct - (1 - factor) * ratePct
  return (financingPct + (expensePct ?? usualExpensePct(factor))) / 100 / SESSIONS_PER_YEAR
}

function usualExpensePct(factor: number): number {
  if (factor < 0) return -factor * EXPENSE_PCT_PER_POINT_BELOW_ZERO
  return Math.max(0, factor - 1) * EXPENSE_PCT_PER_POINT_ABOVE_ONE
}

interface LeveredBars {
  readonly timestamps: Float64Array
  readonly columns: CategoryColumns
}

const BAR_PRICES = ['open', 'high', 'low', 'close'] as const

/**
 * `TICKER?L=n`: r_L = max(-1, L r - cost), reset at the close of each session, so that the bars within a day are
 * measured from the close before it. Starts at the close of the underlying; what falls to zero stays there.
 * `ratePct` is the fed funds (or T-bill) rate of each row in percent. Columns without a price, such as volume, are kept.
 */
export function leverBars(
  { timestamps, columns }: LeveredBars,
  leverage: Leverage,
  ratePct: Float64Array,
): LeveredBars {
  const close = columns['close']
  if (!close) throw new Error('leverage needs closing prices')
  const names = BAR_PRICES.filter((name) => columns[name])
  const levered = new Map(names.map((name) => [name, columns[name]!.slice()]))
  const reset = resetRows(timestamps)
  // A bar of a month costs a month.
  const sessions = PERIODS_A_YEAR.daily / PERIODS_A_YEAR[frequencyOfBars(timestamps)]
  for (let row = 0; row < timestamps.length; row++) {
    const base = reset[row]!
    if (base < 0) continue
    const cost = sessions * dailyLeverageCost(leverage, ratePct[base]!)
    const start = levered.get('close')![base]!
    for (const name of names) {
      // A multiple of a price at or below zero is none; what has lost everything by then keeps its zero.
      const change = close[base]! > 0 ? columns[name]![row]! / close[base]! - 1 : start === 0 ? 0 : Number.NaN
      levered.get(name)![row] = start * (1 + Math.max(-1, leverage.factor * change - cost))
    }
  }
  return {
    timestamps,
    columns: { ...columns, ...Object.fromEntries(leverage.factor < 0 ? turnOver(levered) : levered) },
  }
}

/** A few bars have no usual distance. */
const frequencyOfBars = (timestamps: Float64Array): Frequency =>
  timestamps.length < 3 ? 'daily' : inferFrequency(timestamps)

/** For each row the last row of the session before it, -1 in the first session. */
function resetRows(timestamps: Float64Array): Int32Array {
  const reset = new Int32Array(timestamps.length).fill(-1)
  for (let row = 1; row < timestamps.length; row++) {
    const isNewDay = epochDayOf(timestamps[row]!) !== epochDayOf(timestamps[row - 1]!)
    reset[row] = isNewDay ? row - 1 : reset[row - 1]!
  }
  return reset
}

/** Short positions are highest where the underlying is lowest; the first session, which is not levered, is not either. */
function turnOver(levered: Map<string, Float64Array>): Map<string, Float64Array> {
  const [high, low] = [levered.get('high'), levered.get('low')]
  if (!high || !low) return levered
  return new Map(levered)
    .set(
      'high',
      high.map((price, row) => Math.max(price, low[row]!)),
    )
    .set(
      'low',
      low.map((price, row) => Math.min(price, high[row]!)),
    )
}
