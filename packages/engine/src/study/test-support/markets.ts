import { Random } from '@tradewright/core/random'
import type { RulesTree } from '@tradewright/core/rules/tree'
import { dateOf } from '@tradewright/core/time'
import type { MarketData } from '../../backtest/market-data.ts'
import { defaultSettings } from '../../backtest/request.ts'
import { randomWalks } from '../../backtest/test-support/random-walks.ts'
import { prepareStudy, evaluateVariant } from '../evaluate.ts'
import { planStudy, variantOf, type StudyRequest } from '../plan.ts'
import { reportStudy, type StudyReport } from '../report.ts'

const FROM = dateOf('2014-01-02')
const TO = dateOf('2019-12-31')
/** So that averages have their history on the first day. */
const DATA_FROM = dateOf('2012-06-01')

/** Above the average, and the signal above a threshold: `root.condition.of.0.right.params.window` and `.of.1.right.value`. */
const timing: RulesTree = {
  version: 1,
  check: 'daily',
  cash: 'CASHX',
  root: {
    kind: 'if',
    id: 'trend',
    condition: {
      kind: 'all',
      id: 'both',
      of: [
        {
          kind: 'compare',
          id: 'rises',
          left: { kind: 'feature', feature: 'sma', params: { ticker: 'TGT', window: 1 } },
          is: 'above',
          right: { kind: 'feature', feature: 'sma', params: { ticker: 'TGT', window: 50 } },
        },
        {
          kind: 'compare',
          id: 'high',
          left: { kind: 'feature', feature: 'sma', params: { ticker: 'SIG', window: 1 } },
          is: 'above',
          right: { kind: 'number', value: 30 },
        },
      ],
    },
    yes: { kind: 'hold', id: 'in', rows: [{ ticker: 'TGT', pct: 100 }] },
    no: { kind: 'cash', id: 'out' },
  },
}

export const WINDOW = 'root.condition.of.0.right.params.window'

/** The signal alone; its threshold is `THRESHOLD`. */
const signalOnly: RulesTree = {
  ...timing,
  root: {
    kind: 'if',
    id: 'signal',
    condition: {
      kind: 'compare',
      id: 'high',
      left: { kind: 'feature', feature: 'sma', params: { ticker: 'SIG', window: 1 } },
      is: 'above',
      right: { kind: 'feature', feature: 'sma', params: { ticker: 'SIG', window: 5 } },
      tolerance: { size: 30, unit: 'points', latched: false },
    },
    yes: { kind: 'hold', id: 'in', rows: [{ ticker: 'TGT', pct: 100 }] },
    no: { kind: 'cash', id: 'out' },
  },
}
export const SIGNAL_WINDOW = 'root.condition.right.params.window'
export const TOLERANCE = 'root.condition.tolerance.size'

const requestOf = (tree: RulesTree, more: Partial<StudyRequest>): StudyRequest => ({
  backtest: { ...defaultSettings, from: FROM, to: TO, strategy: { kind: 'rules', tree } },
  numbers: [],
  method: 'grid',
  count: 100,
  seed: 1,
  holdOutPct: 20,
  measure: 'sharpe',
  ...more,
})

export const timingRequest = (more: Partial<StudyRequest> = {}): StudyRequest =>
  requestOf(timing, {
    numbers: [
      { path: WINDOW, from: 20, to: 100, step: 20 },
      { path: 'root.condition.of.1.right.value', from: 10, to: 90, step: 20 },
    ],
    ...more,
  })

export const plantedRequest = (more: Partial<StudyRequest> = {}): StudyRequest =>
  requestOf(signalOnly, {
    numbers: [
      { path: TOLERANCE, from: 0, to: 40, step: 5 },
      { path: SIGNAL_WINDOW, from: 3, to: 9, step: 2 },
    ],
    ...more,
  })

/** Nothing in the signal says anything about the target, which only drifts. */
export function noise(seed: number): MarketData {
  const walks = randomWalks([{ ticker: 'TGT', drift: 0.06 }, { ticker: 'SIG' }], seed, DATA_FROM, TO)
  return withSignal(walks, seed, () => 0)
}

/** A signal more than 20 above its average of 5 days comes before a rise, and a weaker one before a fall. */
export const planted = (seed: number): MarketData =>
  withSignal(randomWalks([{ ticker: 'TGT' }, { ticker: 'SIG' }], seed, DATA_FROM, TO), seed, (over) =>
    over > 20 ? 0.006 : -0.003,
  )

/** The signal is drawn anew each day, from 1 to 99; `push` moves the day after the next open. */
function withSignal(data: MarketData, seed: number, push: (overAverage: number) => number): MarketData {
  const random = new Random(seed + 1000)
  const target = data.series.get('TGT')!
  const days = target.timestamps.length
  const signal = Float64Array.from({ length: days }, () => 1 + 98 * random.float())
  const open = new Float64Array(days)
  const close = new Float64Array(days)
  let price = 100
  for (let day = 0; day < days; day++) {
    open[day] = price
    const drawn = Math.log(target.columns['close']![day]! / (target.columns['open']![day]! || 1))
    const known = signal.subarray(Math.max(0, day - 5), day)
    const average = known.reduce((sum, one) => sum + one, 0) / Math.max(1, known.length)
    price *= Math.exp(drawn + (day < 5 ? 0 : push(signal[day - 1]! - average)))
    close[day] = price
  }
  const columns = (first: Float64Array, last: Float64Array) => ({
    open: first,
    high: first.map((value, day) => Math.max(value, last[day]!)),
    low: first.map((value, day) => Math.min(value, last[day]!)),
    close: last,
    volume: last.map(() => 1e6),
  })
  return {
    series: new Map([
      ['TGT', { ...target, columns: columns(open, close) }],
      ['SIG', { ...target, ticker: 'SIG', columns: columns(signal, signal) }],
    ]),
  }
}

export function studyOf(request: StudyRequest, data: MarketData): StudyReport {
  const plan = planStudy(request)
  const market = prepareStudy(request, data)
  const results = plan.cells.map((cell) => evaluateVariant(market, variantOf(plan, cell)))
  return reportStudy(plan, market, results)
}
