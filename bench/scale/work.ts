import { allocationForm } from '../../apps/server/test-support/backtest-form.ts'
import { studyForm } from '../../apps/server/test-support/studies.ts'
import type { ScaleUser } from './client.ts'

/** Work that is spread over all workers, some seconds of it for one thread. */
export interface ScaleWork {
  readonly name: string
  /** What is counted: `variants` of a study. */
  readonly items: string
  readonly count: number
  /** What was found, as text: the same to the last bit, however many workers compute it. */
  readonly run: () => Promise<string>
}

/** Nine years of days. */
const study = {
  ...studyForm,
  backtest: { ...studyForm.backtest, startDate: '2013-01-02' },
  numbers: [
    { path: 'root.condition.right.params.window', from: 50, to: 200, step: 2 },
    { path: 'root.condition.tolerance.size', from: 0, to: 6, step: 0.25 },
  ],
}
const variants = study.numbers.reduce((count, { from, to, step }) => count * (Math.round((to - from) / step) + 1), 1)

/** Walk-forward of random forests on two years. */
const optimization = {
  target_asset: 'SPY',
  related_assets: ['QQQ', 'TLT', 'GLD'],
  feature_types: ['percent_change', 'sma', 'ema', 'price_sma_ratio', 'rsi', 'volatility', 'z_score', 'momentum'],
  target_id: 1,
  start_date: '2022-01-03',
  end_date: '2023-12-29',
  walk_forward_enabled: true,
  window_sizes: [5, 10, 14, 20, 30],
  data_provider: 'sample',
  population_size: 40,
  generations: 5,
  early_stopping: false,
}

/** Ten years of hours. */
const checked = { ...allocationForm, ...studyForm.backtest, startDate: '2012-01-03', dataGranularity: 'hourly' }

/** A worker has to be there: the board needs a backtest. */
export async function scaleWork(user: ScaleUser): Promise<ScaleWork[]> {
  const id = await user.backtest(checked)
  const { population_size: size, generations } = optimization
  return [
    { name: 'study', items: 'variants', count: variants, run: () => user.study(study) },
    { name: 'optimizer', items: 'individuals', count: size * generations, run: () => user.optimization(optimization) },
    { name: 'robustness board', items: 'boards', count: 1, run: () => user.board(id) },
  ]
}
