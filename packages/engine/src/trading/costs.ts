import { backtestSettings } from '@tradewright/core/backtest-settings'

/** The cost of a trade besides its price. `quantity` is negative for a sale. */
export type FeeModel = (quantity: number, price: number) => number

/** The price a trade gets when `price` is quoted: worse, if anything. */
export type SlippageModel = (quantity: number, price: number) => number

/** Trades pay the quoted price, basis points of the traded value, and a fixed amount in dollars per order. */
export interface PlainCosts {
  readonly points: number
  readonly commission: number
}

interface ModelledCosts {
  readonly fee: FeeModel
  readonly slippage: SlippageModel
}

/** Loops use the numbers of plain costs, which is faster than calls. */
export type TradingCosts = PlainCosts | ModelledCosts

export const DEFAULT_COST_BPS = backtestSettings.tradingCostBps.default

/** What a paper account charges for borrowed shares unless told otherwise, in percent a year: above what easily lent ones cost. */
export const DEFAULT_BORROW_PCT = 1

/**
 * What a trade pays for moving the price, by the square-root law: its value times `rate` times the root of its value. The
 * rate is the volatility of a bar over the root of what changes hands in one, times the factor of the settings. At most
 * the trade's own value: the law is none for orders of many times the volume.
 */
export function impactCost(rate: number, value: number): number {
  const share = rate * Math.sqrt(value)
  return share > 0 ? value * Math.min(1, share) : 0
}

/**
 * Half of the spread between bid and ask, as a share of the price, where no quote says it: by how many dollars change
 * hands in a session. Rounded from effective spreads of US stocks and funds, of the largest to the smallest.
 */
const HALF_SPREADS = [
  { fromDollars: 1e9, share: 0.5e-4 },
  { fromDollars: 1e8, share: 1.5e-4 },
  { fromDollars: 1e7, share: 5e-4 },
  { fromDollars: 1e6, share: 15e-4 },
  { fromDollars: 1e5, share: 50e-4 },
] as const
const WIDEST_HALF_SPREAD = 100e-4

/** At least half a tick. Without a known volume a ticker counts as one of middling size. */
export function halfSpreadOf(price: number, dollarVolume: number | undefined, tick: number): number {
  const volume = dollarVolume ?? 1e7
  const byVolume = HALF_SPREADS.find(({ fromDollars }) => volume >= fromDollars)?.share ?? WIDEST_HALF_SPREAD
  return Math.max(byVolume, tick / 2 / price)
}

/** The costs of the form: basis points of traded value, and a commission per order if there is one. */
export const tradingCosts = (points: number = DEFAULT_COST_BPS, commission = 0): PlainCosts => ({ points, commission })

export const freeOfCosts: PlainCosts = { points: 0, commission: 0 }

export const isPlain = (costs: TradingCosts): costs is PlainCosts => 'points' in costs

/** What a trade pays per share at a quoted price. */
export const paidPrice = (costs: TradingCosts, quantity: number, quoted: number): number =>
  isPlain(costs) ? quoted : costs.slippage(quantity, quoted)

/** The fee of a trade at the price it pays. */
export const feeOf = (costs: TradingCosts, quantity: number, price: number): number =>
  isPlain(costs) ? (Math.abs(quantity) * price * costs.points) / 10_000 + costs.commission : costs.fee(quantity, price)

/** The whole cost of a trade at a quoted price: its fee and its slippage. */
export const costOf = (costs: TradingCosts, quantity: number, quoted: number): number => {
  const paid = paidPrice(costs, quantity, quoted)
  return feeOf(costs, quantity, paid) + quantity * (paid - quoted)
}
