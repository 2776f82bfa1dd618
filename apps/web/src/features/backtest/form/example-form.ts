import { toRows } from '../../../strategy-form/tickers/allocation-rows.ts'
import { LONGEST_PERIOD_START } from '../../../strategy-form/dates.ts'
import { EXAMPLE } from '../../../strategy-form/example.ts'
import { type BacktestForm, newForm } from './form.ts'

export function exampleForm(today: string): BacktestForm {
  return {
    ...newForm(today),
    strategyName: EXAMPLE.name,
    allocations: toRows(EXAMPLE.allocations.map(({ ticker, allocation }) => ({ ticker, allocation }))),
    startDate: LONGEST_PERIOD_START,
    referenceTicker: EXAMPLE.referenceTicker,
  }
}

/** A form that holds one ticker alone. */
export const tickerForm = (ticker: string, today: string): BacktestForm => ({
  ...newForm(today),
  strategyName: ticker,
  allocations: toRows([{ ticker, allocation: 100 }]),
})
