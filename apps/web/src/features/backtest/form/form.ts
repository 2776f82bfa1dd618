import { RULES_VERSION, type RulesTree } from '@tradewright/core/rules/tree'
import type { StrategyType } from '@tradewright/core/strategy-kinds'
import { toRows } from '../../../strategy-form/tickers/allocation-rows.ts'
import { newSettings, type SettingsForm } from '../../../strategy-form/settings-form.ts'
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

export interface BacktestForm extends SettingsForm {
  strategyName: string
  strategyType: StrategyType
  allocations: TickerRow[]
  /** Asset Allocation only: several portfolios side by side, in place of `allocations`. Null: one portfolio. */
  portfolios: PortfolioTable | null
  rules: RulesTree
  external: ExternalForm

  features: ChosenFeature[]
  /** Kept as it was saved; the picker shows it as soon as the list of targets is there. */
  target: ChosenTarget | null
  signal1Allocations: TickerRow[]
  signal0Allocations: TickerRow[]

  /** The dates were typed, loaded or run with: they are no longer the form's default. */
  isPeriodChosen: boolean
  referenceLeverage: NumberText
  referenceBacktestId: string
  /** A date: what the data store held at its end. Empty: the data of today. */
  dataAsOf: string
  saveStrategy: boolean
  saveBacktest: boolean
  backtestName: string
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
    ...newSettings(),
    strategyName: '',
    strategyType: 'Asset Allocation',
    allocations: toRows([{ ticker: 'SPY', allocation: 100 }]),
    portfolios: null,
    rules: firstRules,
    external: newExternal,

    features: [],
    target: null,
    signal1Allocations: toRows([{ ticker: 'SPY', allocation: 100 }]),
    signal0Allocations: toRows([{ ticker: 'CASHX', allocation: 100 }]),

    startDate: yearsBefore(today, 5),
    endDate: today,
    isPeriodChosen: false,
    referenceLeverage: 1,
    referenceBacktestId: '',
    dataAsOf: '',
    saveStrategy: false,
    saveBacktest: false,
    backtestName: '',
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
