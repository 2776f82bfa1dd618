import type { Column } from '@tradewright/core/column'
import type { TradingCosts } from './costs.ts'
import type { FillTiming } from './fill-timing.ts'
import { accountValue, emptyHoldings, grossExposure, type Holdings } from './holdings.ts'
import { barCount, type PriceTable } from './price-table.ts'
import { isOutsideBand } from './rebalance-band.ts'
import { type SizingRules, tradesToReach } from './sizing.ts'
import type { Trade } from './trade-log.ts'

/** What trades of one ticker at one bar really were, where that is known. */
export interface Executed {
  /** Undefined: the quoted one, with the slippage of the costs. */
  readonly price: number | undefined
  /** Of the traded value. */
  readonly feeShare: number
}

/** The rules of one simulated account. Columns are per bar of the price table. */
export interface SimulationRules {
  readonly startValue: number
  /** The target weights decided at the close of a bar, or undefined to leave things as they are. */
  readonly decide: (bar: number) => Float64Array | undefined
  /** 1 at the bars at which `decide` may answer: it is not asked at others. Undefined: it is asked at every bar. */
  readonly decisionBars?: Uint8Array
  readonly fillTiming: FillTiming
  readonly costs: TradingCosts
  /** In place of the costs, by bar and column of the price table. */
  readonly executed?: (bar: number, ticker: number) => Executed | undefined
  readonly wholeShares?: boolean
  /** Money paid in (or, negative, out) at the close of each bar. */
  readonly flows?: Float64Array
  /** Paid in (or, negative, out) at the close of each bar, as a share of the balance then. */
  readonly flowShares?: Float64Array
  /** 1 where the account is brought back to its target weights at the close. */
  readonly rebalances?: Uint8Array
  /** Also brought back whenever a weight is off by more than so many percentage points. */
  readonly bandPct?: number
  /** The cost of one borrowed dollar over each bar. */
  readonly borrowingCosts?: Float64Array
  /** What borrowed shares cost over a bar, as a share of their value at the bar before. */
  readonly shortCost?: number
  /** In its place: what borrowed shares really cost at each bar, as a share of what it started with. */
  readonly shortCharges?: Float64Array
}

/** One value per bar. */
export interface SimulationColumns {
  /** At each close, after everything that happened at it. */
  readonly values: Float64Array
  readonly cash: Float64Array
  /** Value of the positions over value of the account. */
  readonly exposure: Float64Array
  /** Growth of one dollar without the flows: the time-weighted curve. Its first entry has paid the first costs. */
  readonly growth: Float64Array
  /** The amounts really paid in or out: a withdrawal cannot take more than there is. */
  readonly flows: Float64Array
}

export interface SimulationResult extends SimulationColumns {
  readonly dividends: number
  readonly interest: number
  readonly trades: readonly Trade[]
  /** The account at the end. */
  readonly holdings: Holdings
  /** The bar at which nothing was left; the account stays at zero from there. */
  readonly wipedOutAt: number | undefined
  /** Why nothing was left. */
  readonly wipedOutBy: 'loss' | 'withdrawal' | undefined
}

/** Less than this share of what it was a bar ago is nothing. */
const NOTHING = 1e-9

/**
 * Runs an account through the bars. Within a bar: interest, dividends, open, close, cash flow, decision. This loop is the
 * definition; `simulateFast` gives the same numbers.
 */
export function simulate(prices: PriceTable, rules: SimulationRules): SimulationResult {
  const account = new SimulatedAccount(prices, rules, emptyColumns(barCount(prices)))
  for (let bar = 0; bar < barCount(prices) && !account.isWipedOut; bar++) account.runBar(bar)
  return account.result()
}

/**
 * What `simulate` gives, to the last digit and several times as fast: bars without events are run in one tight loop.
 * `columns` are filled in and are those of the result; one who runs many accounts after each other uses them again.
 */
export function simulateFast(
  prices: PriceTable,
  rules: SimulationRules,
  columns = emptyColumns(barCount(prices)),
): SimulationResult {
  const { values, cash, exposure, growth, flows } = columns
  for (const column of [values, cash, exposure, growth, flows]) column.fill(0)
  const account = new SimulatedAccount(prices, rules, columns)
  const events = eventBars(prices, rules)
  const stops = stopBars(events, rules.decisionBars)
  for (let bar = 0; bar < barCount(prices) && !account.isWipedOut;) {
    if (account.isQuiet && events?.[bar] !== 1) bar = account.holdFrom(bar, events, stops)
    else account.runBar(bar++)
  }
  return account.result()
}

export const emptyColumns = (bars: number): SimulationColumns => ({
  values: new Float64Array(bars),
  cash: new Float64Array(bars),
  exposure: new Float64Array(bars),
  growth: new Float64Array(bars),
  flows: new Float64Array(bars),
})

/** 1 where a dividend, a cash flow or a rebalance may come; undefined where none ever does. */
function eventBars({ dividends, timestamps }: PriceTable, rules: SimulationRules): Uint8Array | undefined {
  const columns = [...dividends, rules.flows, rules.flowShares, rules.rebalances].filter(
    (column) => column !== undefined,
  )
  if (columns.length === 0) return undefined
  const events = new Uint8Array(timestamps.length)
  for (const column of columns) for (let bar = 0; bar < events.length; bar++) if (column[bar] !== 0) events[bar] = 1
  return events
}

/** 1 where an event or a decision may come; undefined where a decision may come at any bar. */
function stopBars(events: Uint8Array | undefined, decisionBars: Uint8Array | undefined): Uint8Array | undefined {
  if (events === undefined || decisionBars === undefined) return decisionBars
  return decisionBars.map((decides, bar) => decides | events[bar]!)
}

class SimulatedAccount {
  readonly #prices: PriceTable
  readonly #rules: SimulationRules
  readonly #holdings: Holdings
  readonly #closes: Float64Array
  readonly #opens: Float64Array
  readonly #trades: Trade[] = []
  readonly #values: Float64Array
  readonly #cash: Float64Array
  readonly #exposure: Float64Array
  readonly #growth: Float64Array
  readonly #flows: Float64Array
  readonly #sizing: SizingRules
  /** By ticker, for the trades of one moment. */
  readonly #sized: Float64Array
  /** Of the positions that are not 0, for the tight loop. */
  readonly #heldQuantities: Float64Array
  readonly #heldCloses: Column[] = []
  #heldCount = 0
  #isNothingLeft = false
  #bar = 0
  #target: Float64Array | undefined
  /** Decided, and waiting for the bar that fills it. */
  #pending: Float64Array | undefined
  #dividends = 0
  #interest = 0
  #isRebalanceDue = false
  #wipedOutAt: number | undefined

  constructor(prices: PriceTable, rules: SimulationRules, columns: SimulationColumns) {
    this.#prices = prices
    this.#rules = rules
    this.#holdings = emptyHoldings(rules.startValue, prices.tickers.length)
    this.#closes = new Float64Array(prices.tickers.length)
    this.#opens = new Float64Array(prices.tickers.length)
    this.#values = columns.values
    this.#cash = columns.cash
    this.#exposure = columns.exposure
    this.#growth = columns.growth
    this.#flows = columns.flows
    this.#sizing = { costs: rules.costs, wholeShares: rules.wholeShares ?? false }
    this.#sized = new Float64Array(prices.tickers.length)
    this.#heldQuantities = new Float64Array(prices.tickers.length)
  }

  get isWipedOut(): boolean {
    return this.#wipedOutAt !== undefined
  }

  runBar(bar: number): void {
    this.#beginBar(bar)
    this.#payInterest()
    this.#payShortCosts()
    this.#collectDividends()
    this.#fillAtOpen()
    this.#fillAtClose()
    this.#compareWeights()
    this.#takeCashFlow()
    this.#rebalanceIfDue()
    this.#decide()
    this.#endBar()
  }

  /** Whether only prices, interest and decisions change the account at a bar that has no event of its own. */
  get isQuiet(): boolean {
    const { bandPct, shortCost, shortCharges } = this.#rules
    if (shortCharges) return false
    if (this.#pending || (bandPct !== undefined && this.#target)) return false
    return !shortCost || this.#holdings.quantities.every((quantity) => quantity >= 0)
  }

  /**
   * Runs bars as `runBar` does, with the same operations on numbers in the same order, up to an event or as long as the
   * account stays quiet after its decisions. Gives the bar to go on with.
   */
  holdFrom(from: number, events: Uint8Array | undefined, stops: Uint8Array | undefined): number {
    const { decide } = this.#rules
    const bars = this.#values.length
    this.#gatherPositions()
    for (let bar = from; bar < bars;) {
      if (events !== undefined && events[bar] === 1) return bar
      const weights = stops === undefined || stops[bar] === 1 ? decide(bar) : undefined
      if (weights) {
        this.#beginBar(bar)
        this.#payInterest()
        this.#decided(weights)
        this.#endBar()
        if (this.isWipedOut || !this.isQuiet) return bar + 1
        this.#gatherPositions()
        bar++
        continue
      }
      bar = this.#hold(bar, stops)
      if (!this.#isNothingLeft) continue
      this.#beginBar(bar)
      this.#endBar()
      return bar + 1
    }
    return bars
  }

  /**
   * Runs a bar at which prices and interest alone change the account, and those that follow it up to a stop (without stops
   * this one bar). Gives the bar to go on with, which is the one that left nothing where there is such a one.
   */
  #hold(from: number, stops: Uint8Array | undefined): number {
    const to = stops === undefined ? from + 1 : this.#values.length
    const { borrowingCosts, startValue } = this.#rules
    const values = this.#values
    const cashes = this.#cash
    const exposures = this.#exposure
    const growths = this.#growth
    const quantities = this.#heldQuantities
    const closes = this.#heldCloses
    const count = this.#heldCount
    const onlyQuantity = quantities[0]!
    const onlyCloses = closes[0]
    let { cash } = this.#holdings
    const interestRates = cash < 0 ? borrowingCosts : undefined
    let before = from === 0 ? startValue : values[from - 1]!
    let growth = from === 0 ? 1 : growths[from - 1]!
    let bar = from
    while (bar < to) {
      if (interestRates !== undefined && bar > 0) {
        const interest = -cash * interestRates[bar]!
        cash -= interest
        this.#interest += interest
      }
      let value = cash
      let exposure = 0
      if (count === 1) {
        const worth = onlyQuantity * onlyCloses![bar]!
        value += worth
        exposure = Math.abs(worth)
      } else {
        for (let i = 0; i < count; i++) {
          const worth = quantities[i]! * closes[i]![bar]!
          value += worth
          exposure += Math.abs(worth)
        }
      }
      if (value <= NOTHING * before) {
        this.#isNothingLeft = true
        break
      }
      // Both values are above zero, so this never is below it.
      growth *= value / before
      growths[bar] = growth
      values[bar] = value
      cashes[bar] = cash
      exposures[bar] = exposure / value
      before = value
      bar++
      if (stops !== undefined && stops[bar] === 1) break
    }
    this.#holdings.cash = cash
    return bar
  }

  #gatherPositions(): void {
    const { quantities } = this.#holdings
    let count = 0
    for (let i = 0; i < quantities.length; i++) {
      if (quantities[i] === 0) continue
      this.#heldQuantities[count] = quantities[i]!
      this.#heldCloses[count++] = this.#prices.close[i]!
    }
    this.#heldCount = count
  }

  #beginBar(bar: number): void {
    this.#bar = bar
    for (let i = 0; i < this.#closes.length; i++) this.#closes[i] = this.#prices.close[i]![bar]!
  }

  /** For the time since the bar before. */
  #payInterest(): void {
    const { cash } = this.#holdings
    if (cash >= 0 || this.#bar === 0 || !this.#rules.borrowingCosts) return
    const interest = -cash * this.#rules.borrowingCosts[this.#bar]!
    this.#holdings.cash -= interest
    this.#interest += interest
  }

  /** For shares that are borrowed since the bar before, by their value then. */
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

  /** Of what was held overnight; a short position pays. */
  #collectDividends(): void {
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

  #fillAtClose(): void {
    if (this.#pending) this.#fillPending(this.#closes)
  }

  /** Before a cash flow, which does not change the weights once it is spread. */
  #compareWeights(): void {
    const { rebalances, bandPct } = this.#rules
    this.#isRebalanceDue =
      this.#target !== undefined &&
      (rebalances?.[this.#bar] === 1 ||
        (bandPct !== undefined && isOutsideBand(this.#target, this.#holdings, this.#closes, bandPct)))
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
    if (this.#target && this.#isRebalanceDue) this.#tradeTo(this.#target, this.#closes)
  }

  #decide(): void {
    const { decide, decisionBars } = this.#rules
    if (decisionBars && decisionBars[this.#bar] !== 1) return
    const weights = decide(this.#bar)
    if (weights) this.#decided(weights)
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
  }

  result(): SimulationResult {
    return {
      values: this.#values,
      cash: this.#cash,
      exposure: this.#exposure,
      growth: this.#growth,
      flows: this.#flows,
      dividends: this.#dividends,
      interest: this.#interest,
      trades: this.#trades,
      holdings: this.#holdings,
      wipedOutAt: this.#wipedOutAt,
      wipedOutBy: this.#wipedOutBy(),
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
    this.#tradeTo(this.#target!, prices)
  }

  #tradeTo(weights: Float64Array, prices: Float64Array): void {
    const trades = tradesToReach(weights, this.#holdings, prices, this.#sizing, this.#sized)
    for (let i = 0; i < trades.length; i++) if (trades[i] !== 0) this.#book(i, trades[i]!, prices[i]!)
  }

  #book(ticker: number, quantity: number, quoted: number): void {
    const { fee, slippage } = this.#rules.costs
    const real = this.#rules.executed?.(this.#bar, ticker)
    const price = real?.price ?? slippage(quantity, quoted)
    const cost = real ? real.feeShare * Math.abs(quantity) * price : fee(quantity, price)
    this.#holdings.quantities[ticker]! += quantity
    this.#holdings.cash -= quantity * price + cost
    this.#trades.push({ bar: this.#bar, ticker: this.#prices.tickers[ticker]!, quantity, price, fee: cost })
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
