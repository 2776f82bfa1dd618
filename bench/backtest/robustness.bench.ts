import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Random } from '@tradewright/core/random'
import { dateOf } from '@tradewright/core/time'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { type BacktestRequest, defaultSettings } from '@tradewright/engine/backtest/request'
import { runBacktest } from '@tradewright/engine/backtest/run-backtest'
import { defaultForestSettings } from '@tradewright/engine/models/settings'
import { boardParts, runBoard, runBoardPart } from '@tradewright/engine/robustness/board'
import { contextOf } from '@tradewright/engine/robustness/check'
import { futureCheck } from '@tradewright/engine/robustness/checks/resampled'
import { type BoardMaterial, FULL_EFFORT } from '@tradewright/engine/robustness/material'
import type { PathResults } from '@tradewright/engine/robustness/paths'
import { prepareBoard, type StoredSignals } from '@tradewright/engine/robustness/prepare'
import { type Bench, benchRow, median } from '../bench.ts'
import { cpuTime } from './cpu-time.ts'
import { sampleData } from './sample-data.ts'

const TICKERS = ['SPY', 'TLT', 'GLD', 'QQQ', 'AAPL']
const RANGE = { from: dateOf('2004-12-31'), to: dateOf('2024-12-31') }
const RUNS = 3
const SEED = 42

const allocation: BacktestRequest = {
  ...defaultSettings,
  ...RANGE,
  referenceTicker: 'SPY',
  cashflow: -400,
  strategy: { kind: 'allocation', allocation: TICKERS.map((ticker) => ({ ticker, allocationPct: 20 })) },
}

const model: BacktestRequest = {
  ...allocation,
  cashflow: 0,
  strategy: {
    kind: 'ml',
    trainPct: 70,
    walkForward: undefined,
    features: [2, 5, 10, 14, 20].flatMap((window) => [1, 7].map((id) => ({ id, params: { ticker: 'SPY', window } }))),
    target: { id: 2, params: { ticker: 'SPY', horizon: 5 } },
    buy: [{ ticker: 'SPY', allocationPct: 100 }],
    sell: [{ ticker: 'TLT', allocationPct: 100 }],
  },
}

/** The model with which the form opens. */
const forest = { kind: 'forest', settings: { ...defaultForestSettings, trees: 100 } } as const

const milliseconds = async (work: () => unknown): Promise<number> => {
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) times.push(await cpuTime(async () => void work()))
  return median(times)
}

/** The paths alone, with their bands and figures. */
function paths(material: BoardMaterial): void {
  const parts = boardParts(material, SEED).filter(({ key }) => key === 'future')
  const context = contextOf(material, FULL_EFFORT, SEED)
  futureCheck.join(
    context,
    parts.map((part) => runBoardPart(material, part) as PathResults),
  )
}

/** What a model of the run would have predicted: a coin that stays for two weeks. */
async function signals(): Promise<StoredSignals> {
  const { curve } = await runBacktest(planBacktest(allocation), data)
  const random = new Random(1)
  let up = 1
  const drawn = Int8Array.from(curve.timestamps, () => (random.below(10) === 0 ? (up = random.below(2)) : up))
  return {
    timestamps: curve.timestamps,
    signals: drawn,
    probabilities: Float64Array.from(drawn, (one) => 0.4 + 0.2 * one),
  }
}

const data = sampleData([...TICKERS, 'TB3MS', 'CPIAUCNS'], RANGE, '1d')

function numpy(): { name: string; value: number } | undefined {
  try {
    const script = fileURLToPath(new URL('../peers/numpy_paths.py', import.meta.url))
    const said = JSON.parse(execFileSync('/usr/bin/python3', [script], { encoding: 'utf8' })) as {
      name: string
      seconds: number
    }
    return { name: said.name, value: 1000 * said.seconds }
  } catch {
    return undefined
  }
}

const bench: Bench = {
  name: 'robustness',
  async run(report) {
    const { material } = prepareBoard(allocation, data, undefined, SEED)
    const peer = numpy()
    report(
      benchRow({
        bench: 'robustness/10,000 paths of 30 years, 5 assets, processor time',
        ours: await milliseconds(() => paths(material)),
        unit: 'ms',
        ...(peer && { peer, ratio: 'peer / ours' as const }),
        goal: { on: 'ours', under: 1_500 },
      }),
    )
    report(
      benchRow({
        bench: 'robustness/board of a 20-year daily allocation, processor time',
        ours: await milliseconds(() => runBoard(prepareBoard(allocation, data, undefined, SEED).material, SEED)),
        unit: 'ms',
        goal: { on: 'ours', under: 5_000 },
      }),
    )
    const stored = await signals()
    report(
      benchRow({
        bench: 'robustness/board of a 20-year daily forest of 100 trees and 10 features, processor time',
        ours: await milliseconds(() =>
          runBoard(prepareBoard(model, data, stored, SEED, undefined, forest).material, SEED),
        ),
        unit: 'ms',
        goal: { on: 'ours', under: 60_000 },
      }),
    )
  },
}

export default bench
