import { costOf, impactCost, type TradingCosts } from './costs.ts'
import { accountValue, type Holdings } from './holdings.ts'

export interface SizingRules {
  readonly costs: TradingCosts
  /** Whole shares leave the rest in cash; the default is fractions of shares, as brokers offer them. */
  readonly wholeShares: boolean
  /** By ticker, see `impactCost`; undefined: trades move no price. */
  readonly impact?: Float64Array | undefined
}

/** Trades below this fraction of the account are rounding, not intention. */
const DUST = 1e-9
const MAX_ROUNDS = 50

/**
 * Signal to orders: how many shares of each ticker to buy (or, negative, to sell) so that the account ends up at its
 * target weights after the costs of getting there. Live trading and the simulation size their orders here.
 */
export function tradesToReach(
  weights: Float64Array,
  holdings: Holdings,
  prices: Float64Array,
  rules: SizingRules,
  /** Filled in and given back; one who sizes often uses it again. */
  trades: Float64Array = new Float64Array(prices.length),
): Float64Array {
  const value = accountValue(holdings, prices)
  if (!(value > 0)) return trades.fill(0)
  // Costs shrink the account that the weights are fractions of, so size and cost are found together, from no cost on.
  // Each round is closer by about the cost rate; a few suffice.
  let remaining = value
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const cost = sizeTrades(trades, weights, remaining, value, holdings, prices, rules)
    // Impact grows faster than the trade: half a step keeps large ones from swinging.
    const next = rules.impact ? (remaining + value - cost) / 2 : value - cost
    if (Math.abs(next - remaining) <= 1e-14 * value) break
    remaining = next
  }
  return trades
}

/** Fills in the trades toward weights of `remaining` and gives what they cost. */
function sizeTrades(
  trades: Float64Array,
  weights: Float64Array,
  remaining: number,
  value: number,
  { quantities }: Holdings,
  prices: Float64Array,
  { costs, wholeShares, impact }: SizingRules,
): number {
  let cost = 0
  for (let i = 0; i < trades.length; i++) {
    const price = prices[i]!
    // A worthless position is kept: there are no trades at a price of zero.
    const wanted = price > 0 ? (weights[i]! * remaining) / price : quantities[i]!
    const quantity = (wholeShares ? Math.trunc(wanted) : wanted) - quantities[i]!
    trades[i] = Math.abs(quantity) * price < DUST * value ? 0 : quantity
    if (trades[i] === 0) continue
    cost += costOf(costs, trades[i]!, price)
    if (impact) cost += impactCost(impact[i]!, Math.abs(trades[i]!) * price)
  }
  return cost
}
