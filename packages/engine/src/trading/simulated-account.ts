import { costOf, feeOf, impactCost, paidPrice } from './costs.ts'
import { accountValue, emptyHoldings, grossExposure, type Holdings } from './holdings.ts'
import { marginRequired } from './margin.ts'
import { PositionStops } from './position-stops.ts'
import type { PriceTable } from './price-table.ts'
import { isOutsideBand } from './rebalance-band.ts'
import type { ForcedSale, SimulationColumns, SimulationResult, SimulationRules, StopSale } from './simulation-rules.ts'
import { type SizingRules, tradesToReach } from './sizing.ts'
import { TradeLog } from './trade-log.ts'

/** Less than this share of what it was a bar ago is nothing. */
const NOTHING = 1e-9
/** A share of the account's value: less than this below a requirement is rounding. */
const MARGIN_ROUNDING = 1e-9
const MAX_COST_ROUNDS = 20

/** The target weights decided at a bar, if there are new ones. */
export const decisionAt = ({ decide, decisionBars }: SimulationRules, bar: number): Float64Array | undefined =>
  decisionBars === undefined || decisionBars[bar] === 1 ? decide(bar) : undefined

/** An account between two bars, besides its positions. */
interface AccountState {
  readonly cash: number
  /** Interest paid so far. */
  readonly interest: number
  readonly target: Float64Array | undefined
  /** Decided, and waiting for the bar that fills it. */
  readonly pending: Float64Array | undefined
}

export class SimulatedAccount {
  readonly #prices: PriceTable
  readonly #rules: SimulationRules
  readonly #holdings: Holdings
  readonly #closes: Float64Array
  readonly #opens: Float64Array
  readonly trades: TradeLog
  readonly #columns: SimulationColumns
  readonly #values: Float64Array
  readonly #cash: Float64Array
  readonly #exposure: Float64Array
  readonly #growth: Float64Array
  readonly #flows: Float64Array
  readonly #sizing: SizingRules
  /** By ticker, for the trades of one moment. */
  readonly #sized: Float64Array
  readonly #hasDividends: boolean
  /** Rates of this bar, by ticker. */
  readonly #impact: Float64Array | undefined
  #bar = 0
  #target: Float64Array | undefined
  /** Decided, and waiting for the bar that fills it. */
  #pending: Float64Array | undefined
  #dividends = 0
  #interest = 0
  #isRebalanceDue = false
  #wipedOutAt: number | undefined
  /** Below the maintenance requirement at the close before. */
  #isCalled = false
  readonly #forcedSales: ForcedSale[] = []
  readonly #stopSales: StopSale[] = []
  readonly #stops: PositionStops | undefined

  constructor(
    prices: PriceTable,
    rules: SimulationRules,
    columns: SimulationColumns,
    holdings = emptyHoldings(rules.startValue, prices.tickers.length),
  ) {
    this.#prices = prices
    this.#rules = rules
    this.trades = new TradeLog(prices.tickers)
    this.#hasDividends = prices.dividends.some((column) => column !== undefined)
    this.#holdings = holdings
    this.#closes = new Float64Array(prices.tickers.length)
    this.#opens = new Float64Array(prices.tickers.length)
    this.#columns = columns
    this.#values = columns.values
    this.#cash = columns.cash
    this.#exposure = columns.exposure
    this.#growth = columns.growth
    this.#flows = columns.flows
    this.#impact = prices.impact && new Float64Array(prices.tickers.length)
    this.#sizing = { costs: rules.costs, wholeShares: rules.wholeShares ?? false, impact: this.#impact }
    this.#sized = new Float64Array(prices.tickers.length)
    this.#stops = rules.stop && new PositionStops(rules.stop, prices)
  }

  get isWipedOut(): boolean {
    return this.#wipedOutAt !== undefined
  }

  get wipedOutAt(): number | undefined {
    return this.#wipedOutAt
  }

  /** `weights`: the target weights decided at its close, if there are new ones. */
  runBar(bar: number, weights: Float64Array | undefined): void {
    this.#beginBar(bar)
    this.#payInterest()
    this.#payShortCosts()
    this.#collectDividends()
    this.#fillAtOpen()
    this.#sellForMargin()
    this.#closeStopped()
    this.#fillAtClose()
    this.#compareWeights()
    this.#takeCashFlow()
    this.#rebalanceIfDue()
    if (weights) this.#decided(weights)
    this.#endBar()
  }

  /** Ends a bar whose fills and decision have been booked by the kernel. */
  endBar(bar: number): void {
    this.#beginBar(bar)
    this.#endBar()
  }

  /** What the bars that follow begin with. Quantities are those of the holdings that the account was given. */
  state(): AccountState {
    return { cash: this.#holdings.cash, interest: this.#interest, target: this.#target, pending: this.#pending }
  }

  /** Goes on from bars that were run elsewhere. */
  resume({ cash, interest, target, pending }: AccountState): void {
    this.#holdings.cash = cash
    this.#interest = interest
    this.#target = target
    this.#pending = pending
  }

  #beginBar(bar: number): void {
    this.#bar = bar
    for (let i = 0; i < this.#closes.length; i++) this.#closes[i] = this.#prices.close[i]![bar]!
    if (this.#impact) for (let i = 0; i < this.#impact.length; i++) this.#impact[i] = this.#prices.impact![i]![bar]!
  }

  /** Pays interest on borrowed money for the time since the bar before. */
  #payInterest(): void {
    const { cash } = this.#holdings
    if (cash >= 0 || this.#bar === 0 || !this.#rules.borrowingCosts) return
    const interest = -cash * this.#rules.borrowingCosts[this.#bar]!
    this.#holdings.cash -= interest
    this.#interest += interest
  }

  /** Pays for shares that are borrowed since the bar before, by their value then. */
  #payShortCosts(): void {
    const { shortCost, shortCharges } = this.#rules
    if (this.#bar === 0) return
    if (shortCharges) return this.#payShortCost(shortCharges[this.#bar]! * this.#rules.startValue)
    if (!shortCost) return
    const { quantities } = this.#holdings
    for (let i = 0; i < quantities.length; i++) {
      if (quantities[i]! >= 0) continue
      this.#payShortCost(-quantities[i]! * this.#prices.close[i]![this.#bar - 1]! * shortCost)
    }
  }

  #payShortCost(cost: number): void {
    this.#holdings.cash -= cost
    this.#interest += cost
  }

  /** Pays dividends on what was held overnight; a short position owes them. */
  #collectDividends(): void {
    if (!this.#hasDividends) return
    const { quantities } = this.#holdings
    for (let i = 0; i < quantities.length; i++) {
      const perShare = this.#prices.dividends[i]?.[this.#bar] ?? 0
      if (perShare === 0 || quantities[i] === 0) continue
      this.#holdings.cash += quantities[i]! * perShare
      this.#dividends += quantities[i]! * perShare
    }
  }

  #fillAtOpen(): void {
    if (this.#pending && this.#rules.fillTiming === 'next_open') this.#fillPending(this.#openPrices())
  }

  /** In equal parts of all positions, until what is left covers them after the costs of the sale. */
  #sellForMargin(): void {
    const { maintenance } = this.#rules
    if (!this.#isCalled || !maintenance) return
    this.#isCalled = false
    const prices = this.#openPrices()
    const { quantities } = this.#holdings
    const isSold = (i: number) => quantities[i] !== 0 && prices[i]! > 0 && maintenance.long[i]! > 0
    const equity = accountValue(this.#holdings, prices)
    const required = marginRequired(maintenance, this.#holdings, prices)
    if (equity >= required) return
    let kept = 1
    // Costs take from what covers the rest: each round is closer by about the cost rate.
    for (let round = 0; round < MAX_COST_ROUNDS; round++) {
      let cost = 0
      for (let i = 0; i < quantities.length; i++) {
        if (isSold(i) && kept < 1) cost += this.#costOf(i, (kept - 1) * quantities[i]!, prices[i]!)
      }
      kept = Math.min(1, Math.max(0, (equity - cost) / required))
    }
    let value = 0
    for (let i = 0; i < quantities.length; i++) {
      if (!isSold(i)) continue
      const quantity = (kept - 1) * quantities[i]!
      const whole = this.#sizing.wholeShares ? Math.sign(quantity) * Math.ceil(Math.abs(quantity)) : quantity
      value += Math.abs(whole) * prices[i]!
      this.#book(i, whole, prices[i]!)
    }
    if (value > 0) this.#forcedSales.push({ bar: this.#bar - 1, value })
  }

  #costOf(ticker: number, quantity: number, price: number): number {
    const impact = this.#impact ? impactCost(this.#impact[ticker]!, Math.abs(quantity) * price) : 0
    return costOf(this.#rules.costs, quantity, price) + impact
  }

  #isBelowMargin(value: number): boolean {
    const { maintenance } = this.#rules
    if (!maintenance) return false
    return value < marginRequired(maintenance, this.#holdings, this.#closes) - MARGIN_ROUNDING * value
  }

  #fillAtClose(): void {
    if (this.#pending) this.#fillPending(this.#closes)
  }

  /** Compares weights before a cash flow, which does not change them once it is spread. */
  #compareWeights(): void {
    const { rebalances, bandPct } = this.#rules
    if (rebalances?.[this.#bar] === 1) this.#stops?.rebalanced(this.#bar)
    this.#isRebalanceDue =
      this.#target !== undefined &&
      (rebalances?.[this.#bar] === 1 ||
        (bandPct !== undefined && isOutsideBand(this.#openTarget(), this.#holdings, this.#closes, bandPct)))
  }

  #openTarget(): Float64Array {
    return this.#stops?.openTarget(this.#target!) ?? this.#target!
  }

  /** Closes positions whose price came to their stop between the open and the close. */
  #closeStopped(): void {
    if (!this.#stops) return
    const { quantities } = this.#holdings
    for (let i = 0; i < quantities.length; i++) {
      const reached = quantities[i] === 0 ? undefined : this.#stops.reached(i, this.#bar)
      if (!reached) continue
      this.#stopSales.push({ bar: this.#bar, ticker: this.#prices.tickers[i]!, ...reached })
      this.#book(i, -quantities[i]!, reached.price)
    }
  }

  /** Flow first, spread by current weights. Where a rebalance follows, it does the spreading, and trades only once. */
  #takeCashFlow(): void {
    const { flows, flowShares } = this.#rules
    const share = flowShares?.[this.#bar] ?? 0
    const amount = flows?.[this.#bar] ?? 0
    if (amount === 0 && share === 0) return
    const before = accountValue(this.#holdings, this.#closes)
    const wanted = amount + share * before
    const flow = Math.max(wanted, -before)
    this.#flows[this.#bar] = flow
    const weights = this.#holdings.quantities.map((quantity, i) => (quantity * this.#closes[i]!) / before)
    this.#holdings.cash += flow
    if (before > 0 && !this.#isRebalanceDue) this.#tradeTo(weights, this.#closes)
  }

  #rebalanceIfDue(): void {
    if (this.#target && this.#isRebalanceDue) this.#tradeTo(this.#openTarget(), this.#closes)
  }

  #decided(weights: Float64Array): void {
    this.#pending = weights
    if (this.#rules.fillTiming === 'same_close') this.#fillPending(this.#closes)
  }

  #endBar(): void {
    const bar = this.#bar
    const value = accountValue(this.#holdings, this.#closes)
    const before = bar === 0 ? this.#rules.startValue : this.#values[bar - 1]!
    // The flow came at the close, after the bar's growth.
    const growth = (bar === 0 ? 1 : this.#growth[bar - 1]!) * ((value - this.#flows[bar]!) / before)
    this.#growth[bar] = Math.max(0, growth)
    if (value <= NOTHING * before) return this.#wipeOut()
    this.#values[bar] = value
    this.#cash[bar] = this.#holdings.cash
    this.#exposure[bar] = grossExposure(this.#holdings, this.#closes) / value
    this.#isCalled = this.#isBelowMargin(value)
  }

  /** `columns` and `holdings`: copies of its own, where those will be used for other accounts. */
  result(columns: SimulationColumns = this.#columns, holdings: Holdings = this.#holdings): SimulationResult {
    const log = this.trades
    return {
      values: columns.values,
      cash: columns.cash,
      exposure: columns.exposure,
      growth: columns.growth,
      flows: columns.flows,
      dividends: this.#dividends,
      interest: this.#interest,
      get trades() {
        return log.trades()
      },
      holdings,
      wipedOutAt: this.#wipedOutAt,
      wipedOutBy: this.#wipedOutBy(),
      forcedSales: this.#forcedSales,
      stopSales: this.#stopSales,
    }
  }

  /** Opening prices, and the close where a ticker has none. */
  #openPrices(): Float64Array {
    for (let i = 0; i < this.#opens.length; i++) {
      const open = this.#prices.open[i]![this.#bar]!
      this.#opens[i] = Number.isNaN(open) ? this.#closes[i]! : open
    }
    return this.#opens
  }

  #fillPending(prices: Float64Array): void {
    this.#target = this.#pending
    this.#pending = undefined
    this.#stops?.decided()
    this.#tradeTo(this.#target!, prices)
  }

  #tradeTo(weights: Float64Array, prices: Float64Array): void {
    const trades = tradesToReach(weights, this.#holdings, prices, this.#sizing, this.#sized)
    for (let i = 0; i < trades.length; i++) if (trades[i] !== 0) this.#book(i, trades[i]!, prices[i]!)
  }

  #book(ticker: number, quantity: number, quoted: number): void {
    const { costs, executed } = this.#rules
    const real = executed?.(this.#bar, ticker)
    const price = real?.price ?? paidPrice(costs, quantity, quoted)
    const impact = this.#impact && !real ? impactCost(this.#impact[ticker]!, Math.abs(quantity) * price) : 0
    const cost = real ? real.feeShare * Math.abs(quantity) * price : feeOf(costs, quantity, price) + impact
    this.#stops?.traded(ticker, this.#holdings.quantities[ticker]!, quantity, price)
    this.#holdings.quantities[ticker]! += quantity
    this.#holdings.cash -= quantity * price + cost
    this.trades.add(this.#bar, ticker, quantity, price, cost)
  }

  #wipedOutBy(): SimulationResult['wipedOutBy'] {
    if (this.#wipedOutAt === undefined) return undefined
    return this.#flows[this.#wipedOutAt]! < 0 ? 'withdrawal' : 'loss'
  }

  #wipeOut(): void {
    this.#wipedOutAt = this.#bar
    // Nothing grows from here on, whether it was lost or taken out.
    this.#growth.fill(this.#growth[this.#bar]!, this.#bar)
    this.#holdings.cash = 0
    this.#holdings.quantities.fill(0)
  }
}
