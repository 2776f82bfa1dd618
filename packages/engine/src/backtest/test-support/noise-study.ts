import { dateOf, DAY } from '@tradewright/core/time'
import { assembleMatrix, DecisionRows, featureColumn, targetRows } from '../../features/feature-matrix.ts'
import { planFeature, planTarget } from '../../features/catalogue.ts'
import { trainTestSplit } from '../../models/splits.ts'
import { isAvailable } from '../../performance/figure.ts'
import { type Accuracy, accuracyOf } from '../accuracy.ts'
import type { Learner } from '../learner.ts'
import { planBacktest } from '../plan.ts'
import { defaultSettings } from '../request.ts'
import type { MlResult } from '../result.ts'
import { runBacktest } from '../run-backtest.ts'
import { enterPredictions, noSignals } from '../signals.ts'
import { type RandomWalk, randomWalks } from './random-walks.ts'

const WALKS: readonly RandomWalk[] = [{ ticker: 'RWA' }, { ticker: 'RWB' }]
const FROM = dateOf('2015-01-02')
/** Features and labels look back at most 60 sessions. */
const WARM_UP_DAYS = 120

/** Every target of the catalogue, and the 20-bar direction, whose labels overlap most of the directions. */
export const studiedTargets = [
  ['next-bar direction', { id: 'next_bar_direction', params: {} }],
  ['5-bar direction', { id: 'n_bar_direction', params: { horizon: 5 } }],
  ['20-bar direction', { id: 'n_bar_direction', params: { horizon: 20 } }],
  ['5-bar return above 1 %', { id: 'return_above_threshold', params: { horizon: 5 } }],
  ['triple barrier of 10 bars', { id: 'triple_barrier', params: { horizon: 10 } }],
  ['volatility regime of 20 bars', { id: 'volatility_regime', params: { horizon: 20 } }],
  ['beats another ticker over 5 bars', { id: 'beats_ticker', params: { horizon: 5 } }],
] as const
type StudiedTarget = (typeof studiedTargets)[number][1]

interface StudySetup {
  readonly learn: Learner
  readonly years: number
  readonly walkForward?: boolean
}

const feature = (kind: string, ticker: string, window: number) => ({ id: kind, params: { ticker, window } })

const FEATURES = [
  feature('rsi', 'RWA', 14),
  feature('volatility', 'RWA', 20),
  feature('volatility', 'RWA', 60),
  feature('percent_change', 'RWA', 5),
  feature('z_score', 'RWB', 20),
]

const selectionOf = ({ id, params }: StudiedTarget) => ({
  id,
  params: { ...params, ticker: 'RWA', ...(id === 'beats_ticker' && { other_ticker: 'RWB' }) },
})

const lastDay = (years: number) => FROM + Math.round(365.25 * years)

/** A backtest on two independent random walks, of one of which a target is predicted from features of both. */
export async function backtestNoise(
  target: StudiedTarget,
  seed: number,
  { learn, years, walkForward = false }: StudySetup,
): Promise<MlResult> {
  const plan = planBacktest({
    ...defaultSettings,
    from: FROM,
    to: lastDay(years),
    seed,
    strategy: {
      kind: 'ml',
      trainPct: 70,
      walkForward: walkForward ? { trainPct: 50, testPct: 10, stepPct: undefined } : undefined,
      features: FEATURES,
      target: selectionOf(target),
      buy: [{ ticker: 'RWA', allocationPct: 100 }],
      sell: [],
    },
  })
  const { ml } = await runBacktest(plan, randomWalks(WALKS, seed, FROM - WARM_UP_DAYS, lastDay(years)), learn)
  return ml!
}

/** Walks with their features, which all targets share. */
export function noiseOf(seed: number, years: number) {
  const { series } = randomWalks(WALKS, seed, FROM, lastDay(years))
  const seriesOf = (ticker: string) => series.get(ticker)!
  const decisions = new DecisionRows(seriesOf('RWA').timestamps.map((day) => day + DAY))
  const columns = FEATURES.map((selection) => featureColumn(planFeature(selection), seriesOf, decisions))
  return { seed, seriesOf, decisions, columns, usableRows: assembleMatrix([], columns, decisions.count).usableRows }
}

/** The accuracy of such a backtest without its account and checks, which take most of the time. */
export async function predictNoise(
  { seed, seriesOf, decisions, columns, usableRows }: ReturnType<typeof noiseOf>,
  target: StudiedTarget,
  learn: Learner,
): Promise<Accuracy> {
  const planned = planTarget(selectionOf(target))
  const rows = targetRows(planned, seriesOf, decisions)
  const { train, test } = trainTestSplit(usableRows.length, 70, planned.definition.horizon(planned.values))
  const predictRows = usableRows.slice(test.from, test.to)
  const { probabilities } = await learn({
    columns,
    labels: rows.labels,
    trainRows: usableRows.slice(train.from, train.to).filter((row) => rows.labels[row] !== null),
    predictRows,
    seed,
    wantsImportances: false,
    signal: undefined,
  })
  const said = noSignals(decisions.count)
  enterPredictions(said, predictRows, probabilities)
  return accuracyOf(predictRows, said.signals, rows)
}

/** Share of the p-values that exist which are below a level. */
export function shareBelow(level: number, results: readonly Pick<MlResult['accuracy'], 'pValue'>[]): number {
  const known = results.map(({ pValue }) => pValue).filter(isAvailable)
  return known.filter((pValue) => pValue < level).length / known.length
}
