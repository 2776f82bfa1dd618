import type { BacktestForm } from './form.ts'

/** What every part of the form gets. */
export interface EditProps {
  form: BacktestForm
  edit: (change: Partial<BacktestForm>) => void
}
