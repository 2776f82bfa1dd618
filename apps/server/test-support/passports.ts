import { choicesOf } from '@tradewright/core/backtest-settings'
import { Problem } from '@tradewright/core/problem'
import { Random } from '@tradewright/core/random'
import { rulesExamples } from '@tradewright/core/rules/examples'
import { dateOf } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { requiredSeries } from '@tradewright/engine/backtest/required-series'
import { sampleData } from '@tradewright/engine/backtest/test-support/market-files'
import { allocationRequest, mlStrategy } from '@tradewright/engine/backtest/test-support/requests'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import { portable } from '../src/backtests/execute-run.ts'
import { packRows } from '../src/backtests/passport/packed-rows.ts'
import { passportOf } from '../src/backtests/passport/passport.ts'
import { withBroken } from '../src/backtests/passport/compare-passport.ts'
import { run as verify } from '../src/backtests/passport/verify-task.ts'
import { readReport } from '../src/backtests/report.ts'
import { run } from '../src/backtests/run-task.ts'
import { toWire } from '../src/http/backtests/passport.ts'
import { readPassport } from '../src/http/backtests/read-passport-task.ts'
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

export async function verdictOn(file: string, ours: MarketData | undefined) {
  const { bytes, broken } = readPassport(JSON.parse(file))
  return withBroken(broken, () => verify({ bytes, ours }, here))
}

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
    cashflowKind: pick(choicesOf('cashflowKind')),
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

/** Changes of one value of a passport after which its verdict does not name the value: each value in turn of so many passports. */
export async function unnamedChanges(count: number): Promise<unknown[]> {
  const random = new Random(40)
  const unnamed: unknown[] = []
  for (let i = 0; i < count; i += 1) {
    const request = randomRequest(random, i)
    const model: ModelChoice | undefined = request.strategy.kind === 'ml' ? { kind: 'linear' } : undefined
    const data = dataFor(request)
    const file = await fileOf(request, model, data, i % 2 === 0)
    for (const path of valuePaths(JSON.parse(file) as object, [], random)) {
      const wire = JSON.parse(file) as object
      const parent = path.slice(0, -1).reduce((at, key) => (at as Record<string, object>)[key]!, wire) as Fields
      const key = path.at(-1)!
      parent[key] = otherValue(parent[key])
      const said = await verdictOn(JSON.stringify(wire), data).then(
        ({ changed, figures }) => [...changed, ...figures],
        (error: unknown) => [error instanceof Problem ? error.message : `${String(error)}: not a Problem`],
      )
      const names = NAMED_AS.find(([pattern]) => pattern.test(path.join('.')))?.[1](wire, path) ?? path.join('.')
      if (!said.some((sentence) => sentence.includes(names))) unnamed.push({ path: path.join('.'), names, said })
    }
  }
  return unnamed
}

type Fields = Record<string, unknown>

/** How a sentence names the values that have words of their own; all others by their path. */
const NAMED_AS: [RegExp, (wire: object, path: readonly string[]) => string][] = [
  [/^format$/, () => 'was not written by Tradewright'],
  [/^version$/, () => 'has version'],
  [/^seal\./, (_, [, ...path]) => path.join('.')],
  [/^result\.sha256$/, () => 'figures'],
  [/^result\.(figures|columns)\./, () => 'figures were changed'],
  [
    /^series\.\d+\.data\.parquet$/,
    (wire, [, at]) => (wire as { series: { ticker: string }[] }).series[Number(at)]!.ticker,
  ],
  [
    /^(account\.days|account\.values|.*actions\.(dividends|splits))\./,
    (_, path) => /^\D*(?:\d+\.data\.actions\.[a-z]+)?/.exec(path.join('.'))![0].replace(/\.$/, ''),
  ],
]

/** Every value by its path; of figures, columns and the account some. */
function valuePaths(value: unknown, path: readonly string[], random: Random): string[][] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return path.length > 0 ? [[...path]] : []
  const keys = Object.keys(value)
  const isMany = /^(result\.(figures|columns)|account\.(days|values)|seal|series\.\d+\.data\.actions\.[a-z]+)$/.test(
    path.join('.'),
  )
  const some = isMany ? [1, 2, 3].map(() => keys[random.below(keys.length)]!) : keys
  return some.flatMap((key) => valuePaths((value as Fields)[key], [...path, key], random))
}

function otherValue(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string') return 1
  // A letter in the middle: the ends of base64 may not matter.
  const at = value.length >> 1
  return value === '' ? 'x' : `${value.slice(0, at)}${value[at] === 'a' ? 'b' : 'a'}${value.slice(at + 1)}`
}
