import { Random } from '@tradewright/core/random'
import { rulesExamples } from '@tradewright/core/rules/examples'
import { dateOf } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { type BacktestRequest, cashflowKinds } from '@tradewright/engine/backtest/request'
import { requiredSeries } from '@tradewright/engine/backtest/required-series'
import { sampleData } from '@tradewright/engine/backtest/test-support/market-files'
import { allocationRequest, mlStrategy } from '@tradewright/engine/backtest/test-support/requests'
import type { ModelChoice } from '@tradewright/engine/models/model-choice'
import { portable } from '../src/backtests/execute-run.ts'
import { packRows } from '../src/backtests/passport/packed-rows.ts'
import { passportOf } from '../src/backtests/passport/passport.ts'
import { sealPassport } from '../src/backtests/passport/read-passport.ts'
import { run as verify } from '../src/backtests/passport/verify-task.ts'
import { readReport } from '../src/backtests/report.ts'
import { run } from '../src/backtests/run-task.ts'
import { toWire } from '../src/http/backtests/passport.ts'
import { toDomain } from '../src/http/backtests/read-passport-task.ts'
import type { TaskContext } from '../src/workers/task.ts'
import { tasks } from '../src/workers/tasks.ts'

const MADE_BY = { program: '0.1.0', engine: '0.1.0', commit: null }
const TICKERS = ['SPY', 'TLT', 'GLD', 'QQQ', 'AGG', 'EFA']
export const FROM = dateOf('2019-01-02')

/** The compute thread of a task, in this one. */
const here: TaskContext = {
  isCancelled: () => false,
  threads: 1,
  isCalledBack: () => false,
  reportProgress: () => {},
  transfer: () => {},
  async mapOnThreads(task, payloads) {
    const { run: each } = (await tasks[task as keyof typeof tasks]()) as {
      run: (payload: unknown, context: TaskContext) => unknown
    }
    return Promise.all(payloads.map((payload) => each(payload, here)))
  },
}

export const dataFor = (request: BacktestRequest): MarketData => {
  const needed = requiredSeries(planBacktest(request))
  const from = Math.min(...needed.map((one) => one.from))
  // Copies: the sample market hands out the same columns again.
  return portable(sampleData([...new Set(needed.map(({ symbol }) => symbol))], from, request.to)).data
}

/** The file, as a reader gets it. */
export async function fileOf(
  request: BacktestRequest,
  model: ModelChoice | undefined,
  data: MarketData,
  withRows: boolean,
) {
  const outcome = await run({ request, model, data }, here)
  // As the database keeps it.
  const kept = JSON.parse(JSON.stringify({ ...outcome, comparison: null })) as typeof outcome & { comparison: null }
  const report = await readReport({ ...kept, run: { request, model } as never })
  return JSON.stringify(toWire(passportOf(report, withRows ? packRows(data) : undefined), MADE_BY))
}

export const verdictOn = async (file: string, ours: MarketData | undefined) =>
  verify({ sealed: sealPassport(toDomain(JSON.parse(file))).sealed, ours }, here)

export const treesOfSampleMarket = rulesExamples.filter(({ tree }) => {
  const request = allocationRequest({ SPY: 100 }, { from: FROM, to: FROM + 250, strategy: { kind: 'rules', tree } })
  const { series } = dataFor(request)
  return requiredSeries(planBacktest(request)).every(({ symbol }) => series.has(symbol))
})

export function randomRequest(random: Random, kind: number): BacktestRequest {
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)]!
  const tickers = Array.from({ length: 1 + random.below(4) }, () => pick(TICKERS))
  const percentages = Object.fromEntries(tickers.map((ticker) => [ticker, 5 + random.below(20)]))
  const settings: Partial<BacktestRequest> = {
    from: FROM + random.below(60),
    to: FROM + 250 + random.below(150),
    startValue: 1000 + random.below(100_000) / 7,
    cashflow: pick([0, 0, 23.45, -1.75]),
    cashflowFrequency: pick(['yearly', 'monthly', 'quarterly']),
    cashflowKind: pick(cashflowKinds),
    reinvestDividends: pick([true, false]),
    rebalanceFrequency: pick(['none', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly']),
    tradingCostBps: random.below(30),
    commission: pick([0, 1.5]),
    seed: random.below(1000),
    referenceTicker: pick([undefined, 'SPY']),
  }
  if (kind % 10 === 4) {
    const percentagesShort = { SPY: 130, [pick(['TLT', 'GLD'])]: -30 }
    return allocationRequest(percentagesShort, { ...settings, cashflow: 0, shortBorrowPct: 0.5 + random.below(5) })
  }
  if (kind % 10 === 5) {
    return allocationRequest(percentages, {
      ...settings,
      strategy: { kind: 'rules', tree: pick(treesOfSampleMarket).tree },
    })
  }
  if (kind % 10 !== 0) return allocationRequest(percentages, settings)
  const features = [
    { id: 7, params: { ticker: pick(TICKERS), window: 5 + random.below(20) } },
    { id: 1, params: { ticker: pick(TICKERS), window: 2 + random.below(9) } },
  ]
  return allocationRequest(percentages, { ...settings, strategy: { ...mlStrategy, features } })
}

/** Verdicts on passports of so many random strategies that are not verified to the last bit, or compare too little. */
export async function wrongPassports(count: number): Promise<unknown[]> {
  const random = new Random(22)
  const wrong: unknown[] = []
  for (let i = 0; i < count; i += 1) {
    const request = randomRequest(random, i)
    const model: ModelChoice | undefined = request.strategy.kind === 'ml' ? { kind: 'linear' } : undefined
    const data = dataFor(request)
    const verdict = await verdictOn(await fileOf(request, model, data, i % 2 === 0), i % 4 === 0 ? undefined : data)
    const { changed, data: others, figures, comparedFigures } = verdict
    if (changed.length + others.length + figures.length > 0 || comparedFigures < 20) wrong.push(verdict)
  }
  return wrong
}
