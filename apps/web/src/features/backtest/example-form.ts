import { toRows } from '../../strategy-form/allocation-rows.ts'
import { yearsBefore } from '../../strategy-form/dates.ts'
import { EXAMPLE } from '../../strategy-form/example.ts'
import { type BacktestForm, newForm } from './form.ts'

export function exampleForm(today: string): BacktestForm {
  return {
    ...newForm(today),
    strategyName: EXAMPLE.name,
    allocations: toRows(EXAMPLE.allocations.map(({ ticker, allocation }) => ({ ticker, allocation }))),
    startDate: yearsBefore(today, EXAMPLE.years),
    referenceTicker: EXAMPLE.referenceTicker,
  }
}

/** All of one ticker. */
export const tickerForm = (ticker: string, today: string): BacktestForm => ({
  ...newForm(today),
  strategyName: ticker,
  allocations: toRows([{ ticker, allocation: 100 }]),
})
