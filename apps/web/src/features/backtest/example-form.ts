import { toRows } from '../../strategy-form/allocation-rows.ts'
import { type BacktestForm, newForm } from './form.ts'

/** Something to begin with: stocks and bonds, rebalanced, beside stocks alone. */
export function exampleForm(today: string): BacktestForm {
  return {
    ...newForm(today),
    strategyName: 'Sixty forty',
    allocations: toRows([
      { ticker: 'SPY', allocation: 60 },
      { ticker: 'AGG', allocation: 40 },
    ]),
    referenceTicker: 'SPY',
  }
}
