import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '@tradewright/core/random'
import { freeOfCosts, type TradingCosts, tradingCosts } from '@tradewright/engine/trading/costs'
import type { PriceTable } from '@tradewright/engine/trading/price-table'
import { simulate, simulateFast } from '@tradewright/engine/trading/simulation'
import { emptyColumns, type SimulationResult } from '@tradewright/engine/trading/simulation-rules'
import { type Bench, benchRow, median } from '../bench.ts'
import { findPython, runScript } from '../peers/python.ts'
import { cpuTime } from './cpu-time.ts'

const COLUMNS = 1000
const BARS = 1000
const REPEATS = 15

const timestamps = Float64Array.from({ length: BARS }, (_, bar) => bar)
const days = Int32Array.from(timestamps)

/** One random walk, and a random bar in ten at which the account goes in or out of it. */
function column(seed: number): { prices: PriceTable; signals: Int8Array; decisionBars: Uint8Array } {
  const random = new Random(seed)
  let price = 100
  const close = Float64Array.from({ length: BARS }, () => (price *= 1 + (random.float() - 0.5) / 50))
  const signals = Int8Array.from({ length: BARS }, () => (random.float() < 0.1 ? random.below(2) : -1))
  return {
    prices: { tickers: ['A'], timestamps, days, open: [close], close: [close], dividends: [undefined] },
    signals,
    decisionBars: Uint8Array.from(signals, (signal) => (signal === -1 ? 0 : 1)),
  }
}

type Portfolio = ReturnType<typeof column>

const WEIGHTS = [Float64Array.of(0), Float64Array.of(1)] as const

const COSTS: Readonly<Record<number, TradingCosts>> = { 0: freeOfCosts, 10: tradingCosts(10) }

const rulesOf = ({ signals, decisionBars }: Portfolio, costBps: number) => ({
  startValue: 100,
  decide: (bar: number) => WEIGHTS[signals[bar]!],
  decisionBars,
  fillTiming: 'same_close' as const,
  costs: COSTS[costBps]!,
})

/** One of the readable loop, for the check and for the ratio. */
const readable = (portfolio: Portfolio, costBps: number) => simulate(portfolio.prices, rulesOf(portfolio, costBps))

/** A sweep reads each account and uses its columns for the next. */
const columns = emptyColumns(BARS)
const fast = (portfolio: Portfolio, costBps: number) =>
  simulateFast(portfolio.prices, rulesOf(portfolio, costBps), columns)

/** Bars a second of processor time. */
async function rateOf(
  portfolios: readonly Portfolio[],
  costBps: number,
  run: (portfolio: Portfolio, costBps: number) => SimulationResult,
): Promise<number> {
  const rates: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const milliseconds = await cpuTime(() => {
      for (const portfolio of portfolios) run(portfolio, costBps)
    })
    rates.push((COLUMNS * BARS * 1000) / milliseconds)
  }
  return Math.round(median(rates))
}

interface PeerRate {
  readonly name: string
  readonly value: number
  readonly ends: readonly number[]
  readonly trades: readonly number[]
}

async function numbaRate(python: string, portfolios: readonly Portfolio[], costBps: number): Promise<PeerRate> {
  const directory = mkdtempSync(join(tmpdir(), 'peer-'))
  try {
    const closes = new Float64Array(COLUMNS * BARS)
    const signals = new Int8Array(COLUMNS * BARS)
    portfolios.forEach((portfolio, i) => {
      closes.set(portfolio.prices.close[0]!, i * BARS)
      signals.set(portfolio.signals, i * BARS)
    })
    writeFileSync(join(directory, 'closes.f64'), closes)
    writeFileSync(join(directory, 'signals.i8'), signals)
    const work = { columns: COLUMNS, bars: BARS, points: costBps, repeats: REPEATS }
    const printed = await runScript(python, 'numba_simulation', directory, work)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own script
    const answer = JSON.parse(printed) as { name: string; cpu_ms: number[]; ends: number[]; trades: number[] }
    const value = Math.round((COLUMNS * BARS * 1000) / median(answer.cpu_ms))
    return { name: answer.name, value, ends: answer.ends, trades: answer.trades }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** All three loops did the same work, or the rates say nothing. */
function checkSame(portfolios: readonly Portfolio[], costBps: number, peer: PeerRate | undefined): void {
  portfolios.forEach((portfolio, i) => {
    const definition = readable(portfolio, costBps)
    const ours = fast(portfolio, costBps)
    const end = definition.values[BARS - 1]!
    if (!Object.is(ours.values[BARS - 1], end)) throw new Error(`portfolio ${i} ends differently in the fast loop`)
    if (peer && (peer.ends[i] !== end || peer.trades[i] !== definition.trades.length)) {
      throw new Error(`portfolio ${i} ends at ${end}, in ${peer.name} at ${peer.ends[i]}`)
    }
  })
}

const bench: Bench = {
  name: 'backtest/simulation-loop',
  async run(report) {
    const portfolios = Array.from({ length: COLUMNS }, (_, seed) => column(seed))
    const python = await findPython('numba')
    if (python === null) console.error('numba is not installed (python3-numba of Debian): ours is measured alone.')
    for (const costBps of [0, 10]) {
      const peer = python === null ? undefined : await numbaRate(python, portfolios, costBps)
      checkSame(portfolios, costBps, peer)
      const name = `backtest/simulation-loop/${COLUMNS} portfolios of ${BARS} bars, ${costBps} bp`
      const ours = await rateOf(portfolios, costBps, fast)
      report(
        benchRow({
          bench: name,
          ours,
          unit: 'bars/s',
          ...(peer && { peer }),
          goal: { on: 'ours', atLeast: 25_000_000 },
        }),
      )
      const value = await rateOf(portfolios, costBps, readable)
      report(benchRow({ bench: name, ours, unit: 'bars/s', peer: { name: 'readable loop', value } }))
    }
  },
}

export default bench
