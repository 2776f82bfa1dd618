import type { StrategyType } from '@tradewright/contract/strategies'

/** As a number field has it: text while it is empty or half typed. The server judges what is not a number. */
export type NumberText = number | string
export type Params = Record<string, unknown>
/** Integers from the catalogue; saved configs and the Optimizer may name a feature instead. */
export type CatalogueId = number | string

export interface TickerRow {
  key: number
  ticker: string
  /** Percent of the account's value. */
  allocation: NumberText
}

export interface ChosenFeature {
  key: number
  id: CatalogueId
  name: string
  params: Params
}

export interface ChosenTarget {
  id: CatalogueId
  params: Params
}

export interface BacktestForm {
  strategyName: string
  strategyType: StrategyType
  allocations: TickerRow[]

  mlModelType: string
  trainSize: NumberText
  testSize: NumberText
  features: ChosenFeature[]
  /** Kept as it was saved; the picker shows it as soon as the list of targets is there. */
  target: ChosenTarget | null
  signal1Allocations: TickerRow[]
  signal0Allocations: TickerRow[]
  nEstimators: NumberText
  maxFeatures: string
  minSamplesLeaf: NumberText
  minSamplesSplit: NumberText

  startDate: string
  endDate: string
  startValue: NumberText
  cashflow: NumberText
  cashflowFreq: string
  adjustInflation: boolean
  investDividends: boolean
  referenceTicker: string
  referenceLeverage: NumberText
  referenceBacktestId: string
  dataProvider: string
  dataGranularity: string
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
  fillTiming: string
  seed: NumberText
  /** Empty: the 3-month T-bill. */
  riskFreeTicker: string
}

/** What the form starts from. `today` is `YYYY-MM-DD`. One row is filled in, so that Run gives a result at once. */
export function newForm(today: string): BacktestForm {
  return {
    strategyName: '',
    strategyType: 'Asset Allocation',
    allocations: toRows([{ ticker: 'SPY', allocation: 100 }]),

    mlModelType: 'Random Forest',
    trainSize: 70,
    testSize: 30,
    features: [],
    target: null,
    signal1Allocations: toRows([{ ticker: 'SPY', allocation: 100 }]),
    signal0Allocations: toRows([{ ticker: 'CASHX', allocation: 100 }]),
    nEstimators: 3000,
    maxFeatures: 'sqrt',
    minSamplesLeaf: 3,
    minSamplesSplit: 3,

    startDate: yearsBefore(today, 5),
    endDate: today,
    startValue: 10_000,
    cashflow: 0,
    cashflowFreq: 'Yearly',
    adjustInflation: false,
    investDividends: true,
    referenceTicker: '',
    referenceLeverage: 1,
    referenceBacktestId: '',
    dataProvider: 'auto',
    dataGranularity: 'daily',
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
  return next
}

function restOf(size: NumberText | undefined): NumberText {
  return typeof size === 'number' ? Number((100 - size).toFixed(6)) : ''
}

export function toRows(rows: readonly Omit<TickerRow, 'key'>[]): TickerRow[] {
  return rows.map(({ ticker, allocation }, key) => ({ key, ticker, allocation }))
}

export const nextKey = (items: readonly { key: number }[]): number => Math.max(-1, ...items.map(({ key }) => key)) + 1

/** The sum of the percents, of rows that will be sent; null while one of them is not a number. */
export function allocationTotal(rows: readonly TickerRow[]): number | null {
  const sent = rows.filter(({ ticker }) => ticker.trim() !== '')
  const total = sent.reduce((sum, { allocation }) => sum + (allocation === '' ? Number.NaN : Number(allocation)), 0)
  return Number.isFinite(total) ? Number(total.toFixed(6)) : null
}

/** What "automatic" comes to: a quarter of the test window, at least 1. */
export function automaticStepPct(testWindowPct: NumberText): number | null {
  const test = testWindowPct === '' ? Number.NaN : Number(testWindowPct)
  return Number.isFinite(test) ? Math.max(1, test / 4) : null
}

function yearsBefore(date: string, years: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(year - years, month, 0)).getUTCDate()
  return new Date(Date.UTC(year - years, month - 1, Math.min(day, lastOfMonth))).toISOString().slice(0, 10)
}
