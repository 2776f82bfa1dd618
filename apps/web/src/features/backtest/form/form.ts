import { defaultModel } from '@tradewright/core/model-catalogue'
import { RULES_VERSION, type RulesTree } from '@tradewright/core/rules/tree'
import { toRows } from '../../../strategy-form/tickers/allocation-rows.ts'
import { type BoostingForm, type TreesForm, usualBoosting } from '../../../strategy-form/model-settings.ts'
import type { TickerRow } from '../../../strategy-form/tickers/ticker-row.ts'
import { yearsBefore } from '../../../strategy-form/dates.ts'
import {
  type CatalogueId,
  type ChosenTarget,
  type NumberText,
  type Params,
  restOf,
} from '../../../strategy-form/form-values.ts'
import { type ExternalForm, newExternal } from '../external/external-form.ts'
import type { PortfolioTable } from '../portfolios/portfolio-columns.ts'

export interface ChosenFeature {
  key: number
  id: CatalogueId
  name: string
  params: Params
}

export const STUDIO_TYPES = ['Asset Allocation', 'ML', 'Rules', 'External signal'] as const
type StudioType = (typeof STUDIO_TYPES)[number]

export interface BacktestForm extends TreesForm, BoostingForm {
  strategyName: string
  strategyType: StudioType
  allocations: TickerRow[]
  /** Asset Allocation only: several portfolios side by side, in place of `allocations`. Null: one portfolio. */
  portfolios: PortfolioTable | null
  rules: RulesTree
  external: ExternalForm

  mlModelType: string
  trainSize: NumberText
  testSize: NumberText
  features: ChosenFeature[]
  /** Kept as it was saved; the picker shows it as soon as the list of targets is there. */
  target: ChosenTarget | null
  signal1Allocations: TickerRow[]
  signal0Allocations: TickerRow[]
  maxFeatures: string

  startDate: string
  endDate: string
  /** The dates were typed, loaded or run with: they are no longer the form's default. */
  isPeriodChosen: boolean
  /** Asset Allocation only: invested at the close before the start date. */
  includeFirstReturn: boolean
  startValue: NumberText
  cashflow: NumberText
  cashflowFreq: string
  /** What the cashflow is counted in: dollars, percent or inflation. */
  cashflowKind: string
  adjustInflation: boolean
  investDividends: boolean
  referenceTicker: string
  referenceLeverage: NumberText
  referenceBacktestId: string
  dataProvider: string
  dataGranularity: string
  /** A date: what the data store held at its end. Empty: the data of today. */
  dataAsOf: string
  allowMixedPrices: boolean
  /** When the prices of a ticker end early: stop, cash or replace. */
  endedTicker: string
  replacementTicker: string
  /** Percent off the last price that an ended ticker is worth. */
  delistingReturnPct: NumberText
  saveStrategy: boolean
  saveBacktest: boolean
  backtestName: string

  walkForwardEnabled: boolean
  /** Empty: automatic. */
  wfStepSizePct: NumberText
  wfTrainWindowPct: NumberText
  wfTestWindowPct: NumberText

  rebalanceFrequency: string
  /** Empty: no band. */
  rebalanceBandPct: NumberText
  tradingCostBps: NumberText
  commission: NumberText
  halfSpreadBps: NumberText
  /** Times the square-root law of market impact; 0: none is charged. */
  impactFactor: NumberText
  /** Percent a year; empty: no short positions. */
  shortBorrowPct: NumberText
  /** us, off, or percent of every position. */
  maintenanceMargin: string
  fillTiming: string
  seed: NumberText
  /** Empty: the 3-month T-bill. */
  riskFreeTicker: string
}

/** The S&P 500 while it is above its 200-day average, else T-bills. */
const firstRules: RulesTree = {
  version: RULES_VERSION,
  check: 'monthly',
  cash: 'TBILLX',
  root: {
    kind: 'if',
    id: 'trend',
    condition: {
      kind: 'compare',
      id: 'above-average',
      left: { kind: 'feature', feature: 'sma', params: { ticker: 'SPY', window: 1 } },
      is: 'above',
      right: { kind: 'feature', feature: 'sma', params: { ticker: 'SPY', window: 200 } },
    },
    yes: { kind: 'hold', id: 'stocks', rows: [{ ticker: 'SPY', pct: 100 }] },
    no: { kind: 'cash', id: 'out' },
  },
}

/** `today` is `YYYY-MM-DD`. One row is filled in, so that Run gives a result at once. */
export function newForm(today: string): BacktestForm {
  return {
    strategyName: '',
    strategyType: 'Asset Allocation',
    allocations: toRows([{ ticker: 'SPY', allocation: 100 }]),
    portfolios: null,
    rules: firstRules,
    external: newExternal,

    mlModelType: defaultModel.label,
    trainSize: 70,
    testSize: 30,
    features: [],
    target: null,
    signal1Allocations: toRows([{ ticker: 'SPY', allocation: 100 }]),
    signal0Allocations: toRows([{ ticker: 'CASHX', allocation: 100 }]),
    nEstimators: 3000,
    maxFeatures: 'sqrt',
    minSamplesLeaf: 3,
    ...usualBoosting,
    minSamplesSplit: 3,

    startDate: yearsBefore(today, 5),
    endDate: today,
    isPeriodChosen: false,
    includeFirstReturn: false,
    startValue: 10_000,
    cashflow: 0,
    cashflowFreq: 'Yearly',
    cashflowKind: 'dollars',
    adjustInflation: false,
    investDividends: true,
    referenceTicker: '',
    referenceLeverage: 1,
    referenceBacktestId: '',
    dataProvider: 'auto',
    dataGranularity: 'daily',
    dataAsOf: '',
    allowMixedPrices: false,
    endedTicker: 'stop',
    replacementTicker: '',
    delistingReturnPct: 0,
    saveStrategy: false,
    saveBacktest: false,
    backtestName: '',

    walkForwardEnabled: false,
    wfStepSizePct: '',
    wfTrainWindowPct: 50,
    wfTestWindowPct: 10,

    rebalanceFrequency: 'yearly',
    rebalanceBandPct: '',
    tradingCostBps: 1,
    commission: 0,
    halfSpreadBps: 0,
    impactFactor: 0,
    shortBorrowPct: '',
    maintenanceMargin: 'us',
    fillTiming: 'next_open',
    seed: 42,
    riskFreeTicker: '',
  }
}

/** Train and test size make 100 together: changing the one sets the other. */
export function editForm(form: BacktestForm, change: Partial<BacktestForm>): BacktestForm {
  const next = { ...form, ...change }
  if ('trainSize' in change && !('testSize' in change)) next.testSize = restOf(change.trainSize)
  if ('testSize' in change && !('trainSize' in change)) next.trainSize = restOf(change.testSize)
  if (('startDate' in change || 'endDate' in change) && !('isPeriodChosen' in change)) next.isPeriodChosen = true
  return next
}

/** Whether anything differs from a new form. */
export const hasEdits = (form: BacktestForm, today: string): boolean =>
  JSON.stringify({ ...newForm(today), ...form, isPeriodChosen: false }) !== JSON.stringify(newForm(today))
