import type { TickerRow } from '../../../strategy-form/tickers/ticker-row.ts'
import { isGiven, type NumberText, plainTicker, typedParams } from '../../../strategy-form/form-values.ts'
import { boostingFields } from '../../../strategy-form/model-settings.ts'
import { leveragedTicker } from '../../../strategy-form/tickers/leverage.ts'
import { toBounds } from '../external/external-form.ts'
import type { BacktestForm } from './form.ts'
import { portfolioForms } from '../portfolios/portfolio-table.ts'

/**
 * The fields of `POST /api/backtest`. `runId` is how the run's progress is recognised; `retryData` asks data providers
 * again that have just failed.
 */
export function toRequest(form: BacktestForm, runId: string, retryData = false): FormData {
  const fields = new FormData()
  const put = (name: string, value: NumberText | boolean) => fields.append(name, String(value).trim())

  put('strategyName', form.strategyName)
  put('saveStrategy', form.saveStrategy)
  put('saveBacktest', form.saveBacktest)
  if (form.backtestName.trim()) put('backtestName', form.backtestName)
  put('strategyType', form.strategyType)
  put('startDate', form.startDate)
  put('endDate', form.endDate)
  put('startValue', form.startValue)
  put('cashflow', form.cashflow)
  put('cashflowFreq', form.cashflowFreq)
  if (form.cashflowKind !== 'dollars') put('cashflowKind', form.cashflowKind)
  put('adjustInflation', form.adjustInflation)
  put('investDividends', form.investDividends)
  for (const [name, value] of referenceFields(form)) put(name, value)
  put('dataProvider', form.dataProvider)
  put('dataGranularity', form.dataGranularity)
  if (form.dataAsOf.trim()) put('asOf', form.dataAsOf)
  if (form.allowMixedPrices) put('allowMixedPrices', true)
  if (form.endedTicker !== 'stop') put('endedTicker', form.endedTicker)
  if (form.endedTicker === 'replace') put('replacementTicker', plainTicker(form.replacementTicker))
  if (form.endedTicker !== 'stop' && isSet(form.delistingReturnPct)) put('delistingReturnPct', form.delistingReturnPct)
  putSimulation(form, put)
  if (form.strategyType === 'ML') putMl(form, put)
  else if (form.strategyType === 'Rules') putRules(form, put)
  else if (form.strategyType === 'External signal') putExternal(form, put)
  else putAllocation(form, put)
  if (retryData) put('retryData', true)
  put('runId', runId)
  return fields
}

/** Fields that change nothing about a result. */
const NAMES = ['strategyName', 'backtestName', 'saveStrategy', 'saveBacktest', 'runId'] as const

/** All that a result depends on, as one text: another text, another result. A file of signals counts by name and size. */
export function settingsOf(form: BacktestForm): string {
  const portfolios = portfolioForms(form)
  if (portfolios.length > 0) return JSON.stringify(portfolios.map(settingsOf))
  const fields = toRequest({ ...form, external: { ...form.external, csv: '' } }, '')
  for (const name of NAMES) fields.delete(name)
  const { csv, fileName } = form.external
  return JSON.stringify([...fields.entries(), form.strategyType === 'External signal' ? [fileName, csv.length] : []])
}

type Put = (name: string, value: NumberText | boolean) => void

/** The ticker goes before the comparison backtest. */
function referenceFields(form: BacktestForm): [string, string][] {
  const ticker = leveragedTicker(form.referenceTicker, form.referenceLeverage)
  if (ticker) return [['referenceTicker', ticker]]
  return form.referenceBacktestId ? [['referenceBacktestId', form.referenceBacktestId]] : []
}

function putSimulation(form: BacktestForm, put: Put): void {
  put('rebalanceFrequency', form.rebalanceFrequency)
  if (isGiven(form.rebalanceBandPct)) put('rebalanceBandPct', form.rebalanceBandPct)
  put('tradingCostBps', form.tradingCostBps)
  put('commission', form.commission)
  if (isSet(form.halfSpreadBps)) put('halfSpreadBps', form.halfSpreadBps)
  if (isSet(form.impactFactor)) put('impactFactor', form.impactFactor)
  if (form.maintenanceMargin !== 'us') put('maintenanceMargin', form.maintenanceMargin)
  if (isGiven(form.shortBorrowPct)) put('shortBorrowPct', form.shortBorrowPct)
  put('seed', form.seed)
  if (form.riskFreeTicker.trim()) put('riskFreeTicker', plainTicker(form.riskFreeTicker))
}

/** Given, and not the default of 0. */
const isSet = (value: NumberText): boolean => isGiven(value) && Number(value) !== 0

function putAllocation(form: BacktestForm, put: Put): void {
  put('includeFirstReturn', form.includeFirstReturn)
  putRows(form.allocations, 'ticker[]', 'allocation[]', put)
}

function putRules(form: BacktestForm, put: Put): void {
  put('rules', JSON.stringify(form.rules))
  put('fillTiming', form.fillTiming)
}

function putExternal({ external, fillTiming }: BacktestForm, put: Put): void {
  put('external', JSON.stringify(toBounds(external)))
  if (external.csv.trim()) put('signals', external.csv)
  put('fillTiming', fillTiming)
}

function putMl(form: BacktestForm, put: Put): void {
  put('mlModelType', form.mlModelType)
  put('trainSize', form.trainSize)
  put('testSize', form.testSize)
  put('walkForwardEnabled', form.walkForwardEnabled)
  if (isGiven(form.wfStepSizePct)) put('wfStepSizePct', form.wfStepSizePct)
  put('wfTrainWindowPct', form.wfTrainWindowPct)
  put('wfTestWindowPct', form.wfTestWindowPct)
  put('max_features', form.maxFeatures)
  put('min_samples_leaf', form.minSamplesLeaf)
  put('min_samples_split', form.minSamplesSplit)
  put('n_estimators', form.nEstimators)
  for (const [name, value] of Object.entries(boostingFields(form.mlModelType, form))) put(name, value)
  put(
    'features',
    JSON.stringify(form.features.map(({ id, name, params }) => ({ id, name, params: typedParams(params) }))),
  )
  if (form.target) put('target', JSON.stringify({ id: form.target.id, params: typedParams(form.target.params) }))
  putRows(form.signal1Allocations, 'signal1_ticker[]', 'signal1_allocation[]', put)
  putRows(form.signal0Allocations, 'signal0_ticker[]', 'signal0_allocation[]', put)
  put('fillTiming', form.fillTiming)
}

function putRows(rows: readonly TickerRow[], tickerField: string, allocationField: string, put: Put): void {
  for (const { ticker, leverage, allocation } of rows) {
    if (!ticker.trim()) continue
    put(tickerField, leveragedTicker(ticker, leverage))
    put(allocationField, allocation)
  }
}
