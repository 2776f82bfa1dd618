import { Random } from '@tradewright/core/random'
import { freeOfCosts, tradingCosts } from '@tradewright/engine/trading/costs'
import type { PriceTable } from '@tradewright/engine/trading/price-table'
import { simulate } from '@tradewright/engine/trading/simulation'
import { type Bench, benchRow, median } from '../bench.ts'
import { cpuTime } from './cpu-time.ts'

const COLUMNS = 1000
const BARS = 1000

const timestamps = Float64Array.from({ length: BARS }, (_, bar) => bar)
const days = Int32Array.from(timestamps)

/** One random walk, and a random bar in ten at which the account goes in or out of it. */
function column(seed: number): { prices: PriceTable; signals: Int8Array } {
  const random = new Random(seed)
  let price = 100
  const close = Float64Array.from({ length: BARS }, () => (price *= 1 + (random.float() - 0.5) / 50))
  const signals = Int8Array.from({ length: BARS }, () => (random.float() < 0.1 ? random.below(2) : -1))
  return {
    prices: { tickers: ['A'], timestamps, days, open: [close], close: [close], dividends: [undefined] },
    signals,
  }
}

const WEIGHTS = [Float64Array.of(0), Float64Array.of(1)] as const

async function sweep(columns: readonly ReturnType<typeof column>[], costBps: number): Promise<number> {
  const costs = costBps === 0 ? freeOfCosts : tradingCosts(costBps)
  const milliseconds = await cpuTime(() => {
    for (const { prices, signals } of columns) {
      const decide = (bar: number) => {
        const signal = signals[bar]!
        return signal === -1 ? undefined : WEIGHTS[signal]
      }
      simulate(prices, { startValue: 100, decide, fillTiming: 'same_close', costs })
    }
  })
  return (COLUMNS * BARS * 1000) / milliseconds
}

const bench: Bench = {
  name: 'backtest/sweep',
  async run(report) {
    const columns = Array.from({ length: COLUMNS }, (_, seed) => column(seed))
    for (const costBps of [0, 10]) {
      const rates: number[] = []
      for (let run = 0; run < 7; run++) rates.push(await sweep(columns, costBps))
      report(
        benchRow({
          bench: `backtest/sweep/${COLUMNS} portfolios of ${BARS} bars, ${costBps} bp`,
          ours: Math.round(median(rates)),
          unit: 'bars/s',
        }),
      )
    }
  },
}

export default bench
