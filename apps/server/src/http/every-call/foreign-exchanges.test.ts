import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, expect, it } from 'vitest'
import { allocationForm, mlForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { constructionForm } from '../../../test-support/constructions.ts'
import { importCsv } from '../../../test-support/import-prices.ts'
import { callTool, connectAgent, makeKey } from '../../../test-support/mcp-client.ts'
import { optimizationForm } from '../../../test-support/optimization.ts'
import { studyForm } from '../../../test-support/studies.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { register } from '../../../test-support/visitor.ts'

let server: TestServer
let ann: Caller
beforeAll(async () => {
  server = await sharedTestApp()
  ann = await caller(server)
})

const instead = <Form>(form: Form, ticker: string): Form =>
  JSON.parse(JSON.stringify(form).replaceAll('SPY', ticker)) as Form
const external = (ticker: string) => ({
  ...allocationForm,
  strategyType: 'External signal',
  'ticker[]': undefined,
  'allocation[]': undefined,
  external: JSON.stringify({ allocations: [{ name: 'on', rows: [{ ticker, allocation: 100 }] }] }),
})
const job = async (ticker: string) => {
  const { data_stores: stores } = (await ann.get('/api/data-stores')).json<{ data_stores: { id: number }[] }>()
  const period = { start_date: '2021-01-04', end_date: '2021-06-30' }
  const what = { name: 'A job', provider_id: 'yahoo', data_granularity: '1d', categories: ['close'] }
  return ann.post('/api/data-collector/jobs', { ...what, ...period, data_store_id: stores[0]!.id, tickers: [ticker] })
}
const list = (list_type: string) => (ticker: string) =>
  ann.post('/api/ticker-lists', { name: 'A list', list_type, tickers: ['SPY', ticker] })
const backtest = (form: Parameters<typeof postBacktest>[2]) =>
  postBacktest(server, { cookie: ann.headers['cookie']! }, form)

const PLACES: Record<string, (ticker: string) => Promise<LightMyRequestResponse>> = {
  allocation: (ticker) => backtest(instead(allocationForm, ticker)),
  reference: (ticker) => backtest({ ...allocationForm, referenceTicker: ticker }),
  feature: (ticker) => backtest({ ...mlForm, features: instead(mlForm['features'], ticker) }),
  target: (ticker) => backtest({ ...mlForm, target: instead(mlForm['target'], ticker) }),
  'signal of a model': (ticker) => backtest({ ...mlForm, 'signal1_ticker[]': [ticker] }),
  rules: (ticker) => backtest(instead({ ...allocationForm, ...studyForm.backtest }, ticker)),
  'external signal': (ticker) => backtest(external(ticker)),
  'risk-free rate': (ticker) => backtest({ ...allocationForm, riskFreeTicker: ticker }),
  'replacement of a ticker that ends': (ticker) =>
    backtest({ ...allocationForm, endedTicker: 'replace', replacementTicker: ticker }),
  'fallback of a fallback': (ticker) =>
    backtest({ ...allocationForm, 'ticker[]': [`VTI?FB=VOO?FB=${ticker}?L=2`, 'AGG'] }),
  'related asset': (ticker) =>
    ann.post('/api/feature-optimization', { ...optimizationForm, related_assets: ['TLT', ticker] }),
  'leading indicators': (ticker) => ann.get(`/api/leading-indicators/correlations/${ticker}`),
  'look-up': (ticker) => ann.get(`/api/tickers/lookup?ticker=${ticker}`),
  optimizer: (ticker) => ann.post('/api/feature-optimization', instead(optimizationForm, ticker)),
  study: (ticker) => ann.post('/api/parameter-studies', instead(studyForm, ticker)),
  construction: (ticker) => ann.post('/api/portfolio-constructions', instead(constructionForm, ticker)),
  'collection job': job,
  'target list': list('target'),
  'feature list': list('feature'),
  'file of prices': (ticker) => importCsv(server, ann, ticker, 'date,close\n2024-01-02,100\n2024-01-03,101\n'),
}

it.each(Object.entries(PLACES))('tickers of other exchanges are refused as %s', async (_, enter) => {
  for (const [ticker, place] of Object.entries({ 'VOD.L': 'London', 'SAP.DE': 'Xetra', '7203.T': 'Tokyo' })) {
    const answer = await enter(ticker)
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      400,
      expect.stringContaining(`${ticker} is listed outside the United States (${place}).`),
    ])
  }
})

it('an assistant learns why prices of other exchanges are missing, and gets the others', async () => {
  const user = await register(server)
  const address = await server.address()
  const agent = await connectAgent(address, await makeKey(server, user, ['read']))
  try {
    for (const tool of ['get_quotes', 'get_compared_quotes', 'get_correlations']) {
      const { texts } = await callTool(agent, tool, { tickers: ['SPY', 'AGG', 'VOD.L'] })
      expect(texts.join(), tool).toContain('VOD.L is listed outside the United States (London).')
    }
    const period = { start_date: '2021-01-04', end_date: '2021-06-30' }
    const { texts } = await callTool(agent, 'get_price_history', { ticker: 'SAP.DE', ...period })
    expect(texts.join()).toContain('SAP.DE is listed outside the United States (Xetra).')
  } finally {
    await agent.close()
  }
})
