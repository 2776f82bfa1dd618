import { Decimal } from '@tradewright/core/decimal'
import { SECOND, type UtcMillis } from '@tradewright/core/time'
import type { TradingCalendar } from '../../market/trading-calendar.ts'
import { accountValue, type Holdings } from '../holdings.ts'
import { hasEnded } from '../order.ts'
import { PositionStops } from '../position-stops.ts'
import { barCount, type PriceTable } from '../price-table.ts'
import { isOutsideBand } from '../rebalance-band.ts'
import { acceptOrder } from '../simulated-broker/accept.ts'
import type { FillRules } from '../simulated-broker/fill.ts'
import { type BrokerState, openAccount, type Quote } from '../simulated-broker/state.ts'
import type { SimulationRules } from '../simulation-rules.ts'
import { tradesToReach } from '../sizing.ts'
import type { Trade } from '../trade-log.ts'
import type { PaperBar } from './paper-market.ts'
import { settleAccount } from './settle.ts'

/** A price table with the instants that an account is traded at. */
export interface PaperBars {
  readonly prices: PriceTable
  /** When each bar is complete. */
  readonly knownAt: Float64Array
  readonly calendar: TradingCalendar
}

/** The rules of a simulation without what only a backtest has: cash flows, and trades that are known already. */
type PaperRunRules = Omit<SimulationRules, 'flows' | 'flowShares' | 'executed'> & {
  /** How many times its value the account may hold; 1 without margin. */
  readonly leverageLimit: number
}

interface PaperFill extends Trade {
  readonly at: UtcMillis
}

export interface PaperRun {
  /** The account's value at each close, after everything that happened at it. */
  readonly values: Float64Array
  readonly fills: readonly PaperFill[]
}

/** Shares are counted in billionths. Rounding to them leaves rests that a backtest's floats do not have, and that are no trades. */
const QUANTITY_STEP = 1e-9
/** An order for the close is sent before it. */
const BEFORE_CLOSE = SECOND

/**
 * Trades a new paper account in memory through the bars, by market orders: sized as the simulation sizes its trades, then
 * accepted, filled and settled by the rules of the paper broker. The order of events within a bar is the simulation's.
 */
export function runPaperAccount(bars: PaperBars, rules: PaperRunRules): PaperRun {
  const account = new TradedPaperAccount(bars, rules)
  const values = new Float64Array(barCount(bars.prices))
  for (let bar = 0; bar < values.length; bar++) {
    account.passOpening(bar)
    account.tradeAtClose()
    values[bar] = account.value()
    if (!(values[bar]! > 0)) return { values: values.fill(0, bar), fills: account.fills }
  }
  return { values, fills: account.fills }
}

class TradedPaperAccount {
  readonly fills: PaperFill[] = []
  readonly #bars: PaperBars
  readonly #rules: PaperRunRules
  readonly #fillRules: FillRules
  readonly #sessions: ReadonlyMap<string, readonly PaperBar[]>
  #state: BrokerState
  #now: UtcMillis
  #bar = 0
  #closes = new Float64Array()
  #target: Float64Array | undefined
  /** Decided, and waiting for the bar that fills it. */
  #pending: Float64Array | undefined
  readonly #stops: PositionStops | undefined

  constructor(bars: PaperBars, rules: PaperRunRules) {
    this.#bars = bars
    this.#rules = rules
    this.#fillRules = { costs: rules.costs, leverageLimit: rules.leverageLimit }
    this.#sessions = sessionsOf(bars.prices)
    this.#state = openAccount(Decimal.fromNumber(rules.startValue))
    this.#now = this.#openOf(0)
    this.#stops = rules.stop && new PositionStops(rules.stop, bars.prices)
  }

  /** Interest since the bar before, what goes ex, and what was decided for the opening. */
  passOpening(bar: number): void {
    this.#bar = bar
    this.#chargeInterest()
    this.#closes = Float64Array.from(this.#bars.prices.close, (column) => column[bar]!)
    const opens = Float64Array.from(this.#bars.prices.open, (column, i) =>
      Number.isNaN(column[bar]!) ? this.#closes[i]! : column[bar]!,
    )
    this.#settle(this.#openOf(bar), opens)
    if (this.#rules.fillTiming === 'next_open') this.#tradePending(opens)
    this.#closeStopped()
  }

  tradeAtClose(): void {
    const { decide, fillTiming } = this.#rules
    this.#settle(Math.max(this.#now, this.#bars.knownAt[this.#bar]! - BEFORE_CLOSE), this.#closes)
    this.#tradePending(this.#closes)
    if (this.#rules.rebalances?.[this.#bar] === 1) this.#stops?.rebalanced(this.#bar)
    const target = this.#target && (this.#stops?.openTarget(this.#target) ?? this.#target)
    if (target && this.#isRebalanceDue(target)) this.#tradeTo(target, this.#closes)
    this.#pending = decide(this.#bar) ?? this.#pending
    if (fillTiming === 'same_close') this.#tradePending(this.#closes)
  }

  value(): number {
    return accountValue(this.#holdings(), this.#closes)
  }

  #isRebalanceDue(target: Float64Array): boolean {
    const { rebalances, bandPct } = this.#rules
    if (rebalances?.[this.#bar] === 1) return true
    return bandPct !== undefined && isOutsideBand(target, this.#holdings(), this.#closes, bandPct)
  }

  #tradePending(prices: Float64Array): void {
    if (!this.#pending) return
    this.#target = this.#pending
    this.#pending = undefined
    this.#stops?.decided()
    this.#tradeTo(this.#target, prices)
  }

  #tradeTo(weights: Float64Array, prices: Float64Array): void {
    const { costs, wholeShares = false } = this.#rules
    const trades = tradesToReach(weights, this.#holdings(), prices, { costs, wholeShares })
    const rest = 2 * QUANTITY_STEP * prices.reduce((sum, price) => sum + price, 0)
    for (const [i, quantity] of trades.entries()) {
      if (Math.abs(quantity) * prices[i]! > rest) this.#order(this.#bars.prices.tickers[i]!, quantity)
    }
    this.#settle(this.#now, prices)
  }

  /** What came to its stop between the open and the close is sold at it, as by an order that rests at a broker. */
  #closeStopped(): void {
    if (!this.#stops) return
    const { quantities } = this.#holdings()
    for (const [i, held] of quantities.entries()) {
      const reached = held === 0 ? undefined : this.#stops.reached(i, this.#bar)
      if (!reached) continue
      this.#order(this.#bars.prices.tickers[i]!, -held)
      this.#settle(this.#now, this.#closes.with(i, reached.price))
    }
  }

  #order(ticker: string, quantity: number): void {
    const request = {
      clientOrderId: `replay-${this.#state.issued.orders + 1}`,
      ticker,
      side: quantity < 0 ? ('sell' as const) : ('buy' as const),
      size: { quantity: Decimal.fromNumber(Math.abs(quantity)) },
      execution: { type: 'market' as const },
      timeInForce: 'day' as const,
    }
    ;[this.#state] = acceptOrder(this.#state, request, this.#now)
  }

  /** Brings the account to an instant, at which these are the newest prices. */
  #settle(to: UtcMillis, prices: Float64Array): void {
    const { tickers } = this.#bars.prices
    const before = this.#holdings().quantities
    const latest: Quote = (ticker) => Decimal.fromNumber(prices[tickers.indexOf(ticker)]!)
    const market = { calendar: this.#bars.calendar, bars: this.#sessions, latest }
    const { state } = settleAccount(this.#state, { from: this.#now, to }, market, this.#fillRules)
    this.#now = to
    for (const { ticker, side, quantity, price, fee, at } of state.fills) {
      const signed = side === 'buy' ? quantity : quantity.negated()
      const trade = { ticker, quantity: signed.toNumber(), price: price.toNumber(), fee: fee.toNumber() }
      this.fills.push({ ...trade, bar: this.#bar, at })
      const place = this.#bars.prices.tickers.indexOf(ticker)
      this.#stops?.traded(place, before[place]!, trade.quantity, trade.price)
    }
    // As the stored account, it carries the orders that are open and no past.
    const open = [...state.orders].filter(([, order]) => !hasEnded(order.state))
    this.#state = { ...state, orders: new Map(open), fills: [] }
  }

  /** Charges interest on money and shares that are borrowed since the bar before. */
  #chargeInterest(): void {
    const { borrowingCosts, shortCost = 0 } = this.#rules
    if (this.#bar === 0) return
    const { cash, quantities } = this.#holdings()
    const borrowed = Math.max(0, -cash) * (borrowingCosts?.[this.#bar] ?? 0)
    const lent = quantities.reduce((sum, quantity, i) => sum + Math.max(0, -quantity) * this.#closes[i]!, 0)
    const interest = Decimal.fromNumber(borrowed + lent * shortCost)
    if (!interest.isZero) this.#state = { ...this.#state, cash: this.#state.cash.minus(interest) }
  }

  #holdings(): Holdings {
    const { cash, positions } = this.#state
    const { tickers } = this.#bars.prices
    const quantities = Float64Array.from(tickers, (ticker) => positions.get(ticker)?.quantity.toNumber() ?? 0)
    return { cash: cash.toNumber(), quantities }
  }

  /** When the session of a daily bar opens, or when another bar begins. */
  #openOf(bar: number): UtcMillis {
    const { prices, calendar, knownAt } = this.#bars
    const day = prices.days[bar]!
    const begin = calendar.isSession(day) ? calendar.openOf(day) : prices.timestamps[bar]!
    return Math.min(Math.max(begin, prices.timestamps[bar]!), knownAt[bar]! - BEFORE_CLOSE)
  }
}

/** The days of each ticker, adjusted for splits as the table is: what is left to settle are dividends and auctions. */
function sessionsOf({ tickers, days, open, close, dividends }: PriceTable): Map<string, PaperBar[]> {
  const bars = Map.groupBy(days.keys(), (bar) => days[bar]!)
  return new Map(
    tickers.map((ticker, i) => {
      const paidOf = (own: readonly number[]) => own.reduce((sum, bar) => sum + (dividends[i]?.[bar] ?? 0), 0)
      const ofDay = [...bars].map(([day, own]) => ({
        day,
        open: priceOf(open[i]![own[0]!]!),
        close: priceOf(close[i]![own.at(-1)!]!),
        dividend: priceOf(paidOf(own)),
        split: undefined,
      }))
      return [ticker, ofDay]
    }),
  )
}

const priceOf = (value: number): Decimal | undefined => (value > 0 ? Decimal.fromNumber(value) : undefined)
