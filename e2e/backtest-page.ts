import { expect, type Page } from './story.ts'

/** Where things are in the Backtest Studio, and what several stories do there. */
export const results = (page: Page) => page.getByRole('region', { name: 'Results', exact: true })

export async function runBacktest(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect(page.getByRole('region', { name: 'Full Results', exact: true })).toBeVisible({ timeout: 60_000 })
}

export async function addFeature(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Feature', exact: true }).selectOption(name)
  await page.getByRole('button', { name: 'Add Feature' }).click()
}

/** Fields of POST /api/backtest: a small model on the sample market, for stories about what comes after the run. */
export const MODEL_FIELDS = {
  strategyName: 'Momentum',
  strategyType: 'ML',
  startDate: '2018-01-02',
  endDate: '2022-12-30',
  startValue: '10000',
  dataProvider: 'sample',
  mlModelType: 'Random Forest',
  trainSize: '70',
  walkForwardEnabled: 'true',
  wfTrainWindowPct: '50',
  wfTestWindowPct: '10',
  n_estimators: '20',
  features: JSON.stringify([
    { id: 7, name: 'RSI', params: { ticker: 'SPY', window: 14 } },
    { id: 1, name: 'Percent change', params: { ticker: 'QQQ', window: 5 } },
  ]),
  target: JSON.stringify({ id: 1, params: { ticker: 'SPY' } }),
  'signal1_ticker[]': ['SPY'],
  'signal1_allocation[]': ['100'],
  'signal0_ticker[]': ['AGG'],
  'signal0_allocation[]': ['100'],
} satisfies BacktestFields

export type BacktestFields = Record<string, string | string[]>

/** Runs and saves it; gives its id. */
export async function savedBacktest(page: Page, fields: BacktestFields): Promise<number> {
  const form = new FormData()
  const all: BacktestFields = { ...fields, saveBacktest: 'true', backtestName: fields['strategyName'] ?? 'Saved' }
  for (const [name, value] of Object.entries(all)) for (const one of [value].flat()) form.append(name, one)
  const answer = await page.request.post('/api/backtest', { multipart: form, timeout: 300_000 })
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`)
  return ((await answer.json()) as { backtest_id: number }).backtest_id
}
