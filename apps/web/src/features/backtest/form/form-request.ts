import { kindNamed, type StrategyKindId, strategyKindOf } from '@tradewright/core/strategy-kinds'
import type { TickerRow } from '../../../strategy-form/tickers/ticker-row.ts'
import { type NumberText, typedParams } from '../../../strategy-form/form-values.ts'
import { settingFields } from '../../../strategy-form/settings-form.ts'
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
  const reference = leveragedTicker(form.referenceTicker, form.referenceLeverage)
  const kind = strategyKindOf(form.strategyType)
  for (const [name, text] of settingFields({ ...form, referenceTicker: reference }, kind)) put(name, text)
  // The ticker goes before the comparison backtest.
  if (!reference && form.referenceBacktestId) put('referenceBacktestId', form.referenceBacktestId)
  if (form.dataAsOf.trim()) put('asOf', form.dataAsOf)
  OWN_FIELDS[kind](form, put)
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
  return JSON.stringify([
    ...fields.entries(),
    kindNamed(form.strategyType).receivesSignals ? [fileName, csv.length] : [],
  ])
}

type Put = (name: string, value: NumberText | boolean) => void

/** What each kind of strategy is made of. */
const OWN_FIELDS: Record<StrategyKindId, (form: BacktestForm, put: Put) => void> = {
  allocation: (form, put) => putRows(form.allocations, 'ticker[]', 'allocation[]', put),
  ml: putMl,
  rules: (form, put) => put('rules', JSON.stringify(form.rules)),
  external: ({ external }, put) => {
    put('external', JSON.stringify(toBounds(external)))
    if (external.csv.trim()) put('signals', external.csv)
  },
}

function putMl(form: BacktestForm, put: Put): void {
  put(
    'features',
    JSON.stringify(form.features.map(({ id, name, params }) => ({ id, name, params: typedParams(params) }))),
  )
  if (form.target) put('target', JSON.stringify({ id: form.target.id, params: typedParams(form.target.params) }))
  putRows(form.signal1Allocations, 'signal1_ticker[]', 'signal1_allocation[]', put)
  putRows(form.signal0Allocations, 'signal0_ticker[]', 'signal0_allocation[]', put)
}

function putRows(rows: readonly TickerRow[], tickerField: string, allocationField: string, put: Put): void {
  for (const { ticker, leverage, allocation } of rows) {
    if (!ticker.trim()) continue
    put(tickerField, leveragedTicker(ticker, leverage))
    put(allocationField, allocation)
  }
}
