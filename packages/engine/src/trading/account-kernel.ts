/** The WebAssembly kernel of simulated accounts: one instance per thread, its memory reused from account to account. */
import type { FillTiming } from '@tradewright/core/backtest-settings'
import { accountWasm } from '../kernels/account.wasm.ts'
import { ensureBytes, instantiate, newPrivateMemory } from '../kernels/instantiate.ts'
import { isPlain, type PlainCosts } from './costs.ts'
import { barCount, type PriceTable } from './price-table.ts'
import { decisionAt, SimulatedAccount } from './simulated-account.ts'
import type { SimulationColumns, SimulationResult, SimulationRules } from './simulation-rules.ts'
import { LOG_ROW_NUMBERS } from './trade-log.ts'

/** packages/engine/kernels/account/main.ts. Addresses are byte offsets into the memory, 0 where there is nothing. */
interface AccountExports {
  setPrices(tickers: number, bars: number, closes: number, opens: number): void
  setTickerBuffers(buffers: number, log: number, logRows: number): void
  setColumns(values: number, cash: number, exposure: number, growth: number): void
  setStops(events: number, stops: number): void
  setRules(
    startValue: number,
    fillTiming: number,
    points: number,
    commission: number,
    wholeShares: number,
    borrowingCosts: number,
    shortCost: number,
  ): void
  setState(cash: number, interest: number, hasPending: number): void
  run(from: number): number
  cashNow(): number
  interestSoFar(): number
  hasPending(): number
  wasNothingLeft(): number
  loggedRows(): number
}

const TIMINGS: Readonly<Record<FillTiming, number>> = { same_close: 0, next_open: 1, next_close: 2 }

/** Buffers of 8 bytes per ticker. */
const TICKER_BUFFERS = 6
const MIN_LOG_ROWS = 1024

/** Larger tables (20 tickers of more than two years of minutes) are left to the readable loop, not kept in every thread. */
const MAX_BYTES = 96 * 2 ** 20

/** What an account needs to be run by the kernel. */
interface KernelPlan {
  readonly costs: PlainCosts
  readonly memory: MemoryPlan
}

/**
 * Undefined where the readable loop has to run it: the kernel knows costs in numbers, watches and charges nothing else bar
 * by bar, and needs memory that the machine may not have.
 */
export function kernelPlan(prices: PriceTable, rules: SimulationRules): KernelPlan | undefined {
  const { costs, executed, bandPct, shortCharges, maintenance, stop } = rules
  if (isBusy || !isPlain(costs) || executed || bandPct !== undefined || shortCharges || maintenance || stop)
    return undefined
  if (prices.impact) return undefined
  const plan = planMemory(prices, rules)
  return plan.bytes <= MAX_BYTES && hasMemory(plan.bytes) ? { costs, memory: plan } : undefined
}

function hasMemory(bytes: number): boolean {
  try {
    ensureBytes(memory, bytes)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

interface MemoryPlan {
  readonly closes: number
  readonly opens: number
  readonly tickers: number
  readonly columns: number
  readonly events: number
  readonly stops: number
  readonly borrowingCosts: number
  readonly log: number
  readonly logRows: number
  readonly bytes: number
}

function planMemory(prices: PriceTable, { fillTiming }: SimulationRules): MemoryPlan {
  const tickers = prices.tickers.length
  const column = 8 * barCount(prices)
  // One more, which is 0: the kernel looks at the bar after the last.
  const flags = 8 * Math.ceil((barCount(prices) + 1) / 8)
  const closes = 64
  const opens = closes + tickers * column
  const tickersAt = opens + (fillTiming === 'next_open' ? tickers * column : 0)
  const columns = tickersAt + TICKER_BUFFERS * 8 * tickers
  const events = columns + 4 * column
  const stops = events + flags
  const borrowingCosts = stops + flags
  const log = borrowingCosts + column
  const logRows = Math.max(MIN_LOG_ROWS, 4 * tickers)
  const bytes = log + logRows * LOG_ROW_NUMBERS * 8
  return { closes, opens, tickers: tickersAt, columns, events, stops, borrowingCosts, log, logRows, bytes }
}

const memory = newPrivateMemory(0)
let kernel: AccountExports | undefined
let isBusy = false
/** Asked by the kernel while it runs an account. */
let decideAt: (bar: number) => number = () => 0
/** The prices that are in the memory. */
let loaded: { readonly prices: WeakRef<PriceTable>; readonly hasOpens: boolean } | undefined

interface Stops {
  /** 1 at the bars with a dividend, a cash flow or a rebalance. */
  readonly events: Uint8Array | undefined
  /** 1 at these and at the bars with a decision; undefined where each may have one. */
  readonly stops: Uint8Array | undefined
}

/** Runs an account to its end; bars with events are run by the readable loop. */
export function runInKernel(
  prices: PriceTable,
  rules: SimulationRules,
  columns: SimulationColumns,
  plan: KernelPlan,
  { events, stops }: Stops,
): SimulationResult {
  isBusy = true
  try {
    kernel ??= instantiate<AccountExports>(accountWasm, memory, { decide: (bar: number) => decideAt(bar) })
    loadPrices(prices, rules, plan.memory)
    return new KernelAccount(kernel, prices, rules, columns, plan).run(events, stops)
  } finally {
    isBusy = false
    decideAt = () => 0
  }
}

const floatsAt = (address: number, length: number) => new Float64Array(memory.buffer, address, length)

function loadPrices(prices: PriceTable, { fillTiming }: SimulationRules, { closes, opens }: MemoryPlan): void {
  const hasOpens = fillTiming === 'next_open'
  if (loaded?.prices.deref() === prices && loaded.hasOpens === hasOpens) return
  loaded = undefined
  const bars = barCount(prices)
  for (const [i, column] of prices.close.entries()) floatsAt(closes + 8 * i * bars, bars).set(column)
  if (hasOpens) for (const [i, column] of prices.open.entries()) floatsAt(opens + 8 * i * bars, bars).set(column)
  loaded = { prices: new WeakRef(prices), hasOpens }
}

function writeFlags(flags: Uint8Array | undefined, address: number): number {
  if (flags === undefined) return 0
  const bytes = new Uint8Array(memory.buffer, address, flags.length + 1)
  bytes.set(flags)
  bytes[flags.length] = 0
  return address
}

/** Views into the kernel's memory. */
interface Views {
  readonly buffer: ArrayBuffer
  readonly plan: MemoryPlan
  readonly quantities: Float64Array
  readonly weights: Float64Array
  readonly values: Float64Array
  readonly cash: Float64Array
  readonly exposure: Float64Array
  readonly growth: Float64Array
  readonly log: Float64Array
}

let lastViews: Views | undefined

/**
 * Views of the account before are used again where it had as many bars and tickers: making them takes longer than
 * hundreds of bars.
 */
function viewsOf(plan: MemoryPlan, tickers: number, bars: number): Views {
  const { buffer } = memory
  if (lastViews?.buffer === buffer && isSamePlan(lastViews.plan, plan)) return lastViews
  const columnAt = (i: number) => floatsAt(plan.columns + 8 * i * bars, bars)
  lastViews = {
    buffer,
    plan,
    quantities: floatsAt(plan.tickers, tickers),
    weights: floatsAt(plan.tickers + 8 * tickers, tickers),
    values: columnAt(0),
    cash: columnAt(1),
    exposure: columnAt(2),
    growth: columnAt(3),
    log: floatsAt(plan.log, plan.logRows * LOG_ROW_NUMBERS),
  }
  return lastViews
}

const isSamePlan = (a: MemoryPlan, b: MemoryPlan) =>
  a.tickers === b.tickers && a.columns === b.columns && a.events === b.events && a.log === b.log

class KernelAccount {
  readonly #kernel: AccountExports
  readonly #rules: SimulationRules
  readonly #costs: PlainCosts
  readonly #plan: MemoryPlan
  readonly #bars: number
  readonly #account: SimulatedAccount
  readonly #columns: SimulationColumns
  readonly #views: Views
  #target: Float64Array | undefined
  /** The last weights that were decided. */
  #decided: Float64Array | undefined

  constructor(
    kernel: AccountExports,
    prices: PriceTable,
    rules: SimulationRules,
    columns: SimulationColumns,
    { costs, memory: plan }: KernelPlan,
  ) {
    const tickers = prices.tickers.length
    this.#kernel = kernel
    this.#rules = rules
    this.#costs = costs
    this.#plan = plan
    this.#bars = barCount(prices)
    this.#columns = columns
    this.#views = viewsOf(plan, tickers, this.#bars)
    const { quantities, values, cash, exposure, growth } = this.#views
    columns.flows.fill(0)
    const holdings = { cash: rules.startValue, quantities: quantities.fill(0) }
    this.#account = new SimulatedAccount(
      prices,
      rules,
      { values, cash, exposure, growth, flows: columns.flows },
      holdings,
    )
    this.#configure(tickers)
  }

  run(events: Uint8Array | undefined, stops: Uint8Array | undefined): SimulationResult {
    const account = this.#account
    this.#kernel.setStops(writeFlags(events, this.#plan.events), writeFlags(stops, this.#plan.stops))
    decideAt = this.#decideAt
    for (let bar = 0; bar < this.#bars && !account.isWipedOut;) {
      if (events?.[bar] === 1) {
        account.runBar(bar, decisionAt(this.#rules, bar))
        bar++
      } else bar = this.#runFrom(bar)
    }
    return this.#result()
  }

  #configure(tickers: number): void {
    const { closes, opens, columns, log, logRows } = this.#plan
    const { startValue, fillTiming, wholeShares, borrowingCosts, shortCost } = this.#rules
    const { points, commission } = this.#costs
    const bytes = 8 * this.#bars
    this.#kernel.setPrices(tickers, this.#bars, closes, opens)
    this.#kernel.setTickerBuffers(this.#plan.tickers, log, logRows)
    this.#kernel.setColumns(columns, columns + bytes, columns + 2 * bytes, columns + 3 * bytes)
    if (borrowingCosts) floatsAt(this.#plan.borrowingCosts, this.#bars).set(borrowingCosts)
    const rates = borrowingCosts ? this.#plan.borrowingCosts : 0
    const isWhole = Number(wholeShares ?? false)
    this.#kernel.setRules(startValue, TIMINGS[fillTiming], points, commission, isWhole, rates, shortCost ?? 0)
  }

  /** Up to a bar that the kernel leaves to the readable loop. */
  #runFrom(from: number): number {
    const { cash, interest, target, pending } = this.#account.state()
    this.#target = target
    this.#decided = pending ?? target
    if (pending) this.#views.weights.set(pending)
    this.#kernel.setState(cash, interest, Number(pending !== undefined))
    const bar = this.#kernel.run(from)
    const isPending = this.#kernel.hasPending() !== 0
    this.#account.resume({
      cash: this.#kernel.cashNow(),
      interest: this.#kernel.interestSoFar(),
      target: isPending ? this.#target : this.#decided,
      pending: isPending ? this.#decided : undefined,
    })
    this.#account.trades.addRows(this.#views.log.subarray(0, this.#kernel.loggedRows() * LOG_ROW_NUMBERS))
    if (this.#kernel.wasNothingLeft() === 0) return bar
    this.#account.endBar(bar)
    return bar + 1
  }

  readonly #decideAt = (bar: number): number => {
    const weights = this.#rules.decide(bar)
    if (weights === undefined) return 0
    this.#target = this.#decided
    this.#decided = weights
    const { weights: own } = this.#views
    for (let i = 0; i < weights.length; i++) own[i] = weights[i]!
    return 1
  }

  /** With copies of what is in the kernel's memory; nothing is left from the bar on that wiped the account out. */
  #result(): SimulationResult {
    const end = this.#account.wipedOutAt ?? this.#bars
    for (const name of ['values', 'cash', 'exposure'] as const) {
      this.#columns[name].set(this.#views[name].subarray(0, end))
      this.#columns[name].fill(0, end)
    }
    this.#columns.growth.set(this.#views.growth)
    const { cash } = this.#account.state()
    return this.#account.result(this.#columns, { cash, quantities: this.#views.quantities.slice() })
  }
}
