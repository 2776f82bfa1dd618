import type { BacktestForm } from './form.ts'

export interface EditProps {
  form: BacktestForm
  edit: (change: Partial<BacktestForm>) => void
}
