import type { LightMyRequestResponse } from 'fastify'
import type { TestServer } from './test-app.ts'
import { headersOf, type Credentials } from './visitor.ts'

type Fields = Record<string, string | string[] | undefined>

/** Asset Allocation with the form's defaults, on five years of the sample market, which needs no network. */
export const allocationForm: Fields = {
  strategyName: 'Sixty forty',
  strategyType: 'Asset Allocation',
  startDate: '2018-01-02',
  endDate: '2022-12-30',
  startValue: '10000',
  cashflow: '0',
  cashflowFreq: 'Yearly',
  adjustInflation: 'false',
  investDividends: 'true',
  saveStrategy: 'false',
  saveBacktest: 'false',
  dataProvider: 'sample',
  dataGranularity: 'daily',
  'ticker[]': ['SPY', 'AGG'],
  'allocation[]': ['60', '40'],
}

/** ML with walk-forward and a model that learns quickly. */
export const mlForm: Fields = {
  ...allocationForm,
  'ticker[]': undefined,
  'allocation[]': undefined,
  strategyName: 'Momentum',
  strategyType: 'ML',
  mlModelType: 'Random Forest',
  trainSize: '70',
  testSize: '30',
  walkForwardEnabled: 'true',
  wfTrainWindowPct: '50',
  wfTestWindowPct: '10',
  n_estimators: '20',
  max_features: 'sqrt',
  min_samples_leaf: '3',
  min_samples_split: '3',
  features: JSON.stringify([
    { id: 7, name: 'RSI', params: { ticker: 'SPY', window: 14 } },
    { id: 1, name: 'Percent change', params: { ticker: 'QQQ', window: 5 } },
  ]),
  target: JSON.stringify({ id: 1, params: { ticker: 'SPY' } }),
  'signal1_ticker[]': ['SPY'],
  'signal1_allocation[]': ['100'],
  'signal0_ticker[]': ['AGG'],
  'signal0_allocation[]': ['100'],
}

export function formData(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) if (one !== undefined) form.append(name, one)
  }
  return form
}

export async function postBacktest(
  { app }: TestServer,
  user: Credentials,
  fields: Fields,
  url = '/api/backtest',
): Promise<LightMyRequestResponse> {
  const body = new Response(formData(fields))
  return app.inject({
    method: 'POST',
    url,
    headers: { ...headersOf(user), 'content-type': body.headers.get('content-type')! },
    payload: Buffer.from(await body.arrayBuffer()),
  })
}
