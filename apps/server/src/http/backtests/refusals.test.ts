import type { ErrorAnswer } from '@tradewright/contract/answers'
import { modelLabels } from '@tradewright/core/model-catalogue'
import { beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, mlForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let ann: RegisteredUser
beforeAll(async () => {
  server = await sharedTestApp()
  ann = await register(server)
})

async function refusal(fields: typeof allocationForm): Promise<[status: number, sentence: string]> {
  const answer = await postBacktest(server, ann, fields)
  const { error, message, success } = answer.json<ErrorAnswer>()
  expect([error, success]).toEqual([message, false])
  return [answer.statusCode, error]
}

const feature = (params: object, id: number | string = 7) => JSON.stringify([{ id, params }])
const MANY_FEATURES = JSON.stringify(Array.from({ length: 5_000 }, () => ({ id: 7, params: { ticker: 'SPY' } })))

describe('the form of a backtest', () => {
  it.each([
    [{ endDate: '2017-01-01' }, 'The end date 2017-01-01 is before the start date 2018-01-02.'],
    [{ startDate: '2018-13-01' }, 'The start date must be a date like 2024-12-31, was "2018-13-01".'],
    [{ endDate: '' }, 'The end date is missing.'],
    [{ startDate: '2099-01-01', endDate: '2099-12-31' }, 'The start date 2099-01-01 is in the future.'],
    [{ endDate: '2099-12-31' }, 'The end date 2099-12-31 is in the future.'],
    [
      { startDate: '1871-01-02' },
      'The start date 1871-01-02 is too early: nothing before 1928-01-01 can be simulated.',
    ],
    [{ startValue: '0' }, 'The starting value must be a number above 0, was 0.'],
    [{ startValue: '-5' }, 'The starting value must be a number above 0, was -5.'],
    [{ startValue: 'a lot' }, 'The starting value must be a number, was "a lot".'],
    [{ startValue: 'Infinity' }, 'The starting value must be a number, was "Infinity".'],
    [{ cashflow: 'x' }, 'The cashflow must be a number, was "x".'],
    [{ cashflowFreq: 'Weekly' }, 'The cashflow frequency must be one of Yearly, Monthly, Quarterly, was "Weekly".'],
    [{ cashflowKind: 'x' }, 'The kind of cashflow must be one of dollars, percent, inflation, was "x".'],
    [
      { cashflowKind: 'percent', cashflow: '-101' },
      'A cashflow in percent of the balance must be from -100 to 100, was -101.',
    ],
    [{ shortBorrowPct: '-1' }, 'The borrow rate of short positions must be from 0 to 1000% a year, was -1.'],
    [
      { shortBorrowPct: '1', 'ticker[]': ['SPY', 'BTC-USD'], 'allocation[]': ['60', '-40'] },
      'The allocation of BTC-USD is -40%: coins are not lent, so they cannot be sold short.',
    ],
    [{ 'ticker[]': undefined, 'allocation[]': undefined }, 'The allocation is empty: name at least one ticker.'],
    [{ 'ticker[]': ['', ' '] }, 'The allocation is empty: name at least one ticker.'],
    [{ 'allocation[]': ['60'] }, 'The allocation has 2 tickers but percentages for 1.'],
    [{ 'allocation[]': ['60', ''] }, 'The allocation of AGG is missing.'],
    [{ 'allocation[]': ['60', 'half'] }, 'The allocation of AGG must be a number, was "half".'],
    [
      { 'allocation[]': ['60', '-40'] },
      'The allocation of AGG is -40%: an allocation cannot be negative without a borrow rate for short positions.',
    ],
    [{ 'allocation[]': ['6000', '40'] }, 'The allocation adds up to 6040%, more than 1000% of the account.'],
    [{ 'ticker[]': ['SPY', 'A B'] }, '"A B" is not a ticker: it has characters no symbol has.'],
    [{ 'ticker[]': ['SPY', 'AGG?L=x'] }, '"AGG?L=X" is not a ticker: L needs a number.'],
    [
      { strategyType: 'Magic' },
      'The strategy type must be one of Asset Allocation, ML, Rules, External signal, was "Magic".',
    ],
    [{ adjustInflation: 'maybe' }, 'Adjust for inflation must be true or false, was "maybe".'],
    [
      { dataGranularity: '30m' },
      'The data granularity must be one of daily, hourly, 15minute, 5minute, minute, was "30m".',
    ],
    [{ tradingCostBps: '-1' }, 'The trading cost must be from 0 to below 10000 basis points, was -1.'],
    [{ endedTicker: 'sell' }, 'The choice for ended tickers must be one of stop, cash, replace, was "sell".'],
    [{ endedTicker: 'replace' }, 'Choose the ticker to hold when another one ends.'],
    [{ rebalanceBandPct: '0' }, 'The rebalance band must be above 0 and at most 100, was 0.'],
    [{ seed: '1.5' }, 'The seed must be a whole number, was 1.5.'],
    [{ saveStrategy: 'true', strategyName: ' ' }, 'A strategy name is required to save the strategy or the backtest.'],
    [{ strategyName: 'x'.repeat(201) }, 'The strategy name is too long (at most 200 characters).'],
    [{ referenceTicker: '?' }, '"?" is not a ticker: it has no symbol.'],
    [{ referenceBacktestId: 'first' }, 'The comparison backtest must be a number, was "first".'],
    [{ dataProvider: 'unknown' }, 'There is no data provider "unknown".'],
    [
      { 'ticker[]': ['SPY', 'NOSUCHTICKER'] },
      'There is no data for NOSUCHTICKER: Sample market (synthetic) does not offer NOSUCHTICKER.',
    ],
  ])('$1 [BT-148] [BT-149] [BT-150] [BT-151]', async (fields, sentence) => {
    expect(await refusal({ ...allocationForm, ...fields })).toEqual([400, sentence])
  })

  it('names every ticker without data', async () => {
    const [status, sentence] = await refusal({ ...allocationForm, 'ticker[]': ['NOPE', 'NADA'] })
    expect(status).toBe(400)
    expect(sentence).toContain('NOPE')
    expect(sentence).toContain('NADA')
  })

  it('refuses a range without data, and names what it lacks', async () => {
    const range = { startDate: '1950-01-02', endDate: '1951-01-02' }
    const [status, sentence] = await refusal({ ...allocationForm, ...range })
    expect(status).toBe(400)
    expect(sentence).toContain('SPY')
  })
})

describe('the form of an ML backtest', () => {
  it.each([
    [{ features: undefined }, 'Add at least one feature: a model has nothing to learn from.'],
    [{ features: '[]' }, 'Add at least one feature: a model has nothing to learn from.'],
    [{ features: '{' }, 'The list of features cannot be read: this is not valid JSON.'],
    [{ features: '{}' }, 'The features must be a JSON list.'],
    [{ features: '[{}]' }, 'Feature 1 has no id.'],
    [{ features: '[null]' }, 'Feature 1 has no id.'],
    [{ features: '[{"id":7,"params":"x"}]' }, 'The parameters of feature 1 must be an object.'],
    [{ features: feature({ ticker: 'SPY' }, 999) }, 'There is no feature "999".'],
    [{ features: feature({ window: 14 }) }, 'RSI: ticker is missing.'],
    [
      { features: feature({ ticker: 'SPY', window: 0 }) },
      'RSI: window must be a whole number from 2 to 1000000, was 0.',
    ],
    [
      { features: feature({ ticker: 'SPY', window: 'wide' }) },
      'RSI: window must be a whole number from 2 to 1000000, was "wide".',
    ],
    [
      { features: feature({ ticker: 'SPY', field: 'colour' }) },
      'RSI: field must be one of open, high, low, close, volume, was "colour".',
    ],
    [{ features: feature({ ticker: 'A B' }) }, '"A B" is not a ticker: it has characters no symbol has.'],
    [{ features: MANY_FEATURES }, '5000 features are too many: at most 1000 are allowed.'],
    [{ target: undefined }, 'Choose a target: what the model should predict.'],
    [{ target: '{"id":99,"params":{}}' }, 'There is no target "99".'],
    [{ trainSize: '0', testSize: '100' }, 'The train size must be above 0% and below 100%, was 0%.'],
    [{ trainSize: '100', testSize: '0' }, 'The train size must be above 0% and below 100%, was 100%.'],
    [{ trainSize: '60', testSize: '30' }, 'Train size and test size must add up to 100%, but are 60% and 30%.'],
    [{ mlModelType: 'Oracle' }, `The model type must be one of ${modelLabels.join(', ')}, was "Oracle".`],
    [{ n_estimators: '5001' }, 'n_estimators must be from 1 to 5000, was 5001.'],
    [{ n_estimators: '0' }, 'n_estimators must be from 1 to 5000, was 0.'],
    [{ min_samples_leaf: '0' }, 'min_samples_leaf must be a whole number of at least 1, was 0.'],
    [{ max_features: '-1' }, 'max_features must be sqrt, log2, auto, all, a share or a number of columns, was "-1".'],
    [
      { 'signal1_ticker[]': undefined, 'signal1_allocation[]': undefined },
      'The Buy allocation is empty: name at least one ticker.',
    ],
    [
      { 'signal0_allocation[]': ['-100'] },
      'The Sell allocation of AGG is -100%: an allocation cannot be negative without a borrow rate for short positions.',
    ],
  ])('$1', async (fields, sentence) => {
    expect(await refusal({ ...mlForm, walkForwardEnabled: 'false', ...fields })).toEqual([400, sentence])
  })

  it.each([
    [{ wfTrainWindowPct: '95' }, 'Train and test window together are 105% of the data: at most 100% are allowed.'],
    [{ wfTrainWindowPct: '0' }, 'The train window must be above 0% and below 100%, was 0%.'],
    [{ wfTestWindowPct: '100' }, 'The test window must be above 0% and below 100%, was 100%.'],
    [{ wfTestWindowPct: 'wide' }, 'The test window must be a number, was "wide".'],
    [
      { wfTrainWindowPct: '0.01', wfTestWindowPct: '0.01' },
      expect.stringMatching(
        /^A train window of 0.01% and a test window of 0.01% are too small for \d+ rows of data\.$/,
      ),
    ],
    [{ wfStepSizePct: '0' }, 'The step size must be from 1% to 100%, was 0%.'],
    [{ wfStepSizePct: '0.5' }, 'The step size must be from 1% to 100%, was 0.5%.'],
    [{ wfStepSizePct: '150' }, 'The step size must be from 1% to 100%, was 150%.'],
    [
      { target: JSON.stringify({ id: 3, params: { ticker: 'SPY', threshold: 900, horizon: 1 } }) },
      'The target is 0 in every training row of window 1: there is nothing to learn. Choose another target or a longer range.',
    ],
    [
      { features: feature({ ticker: 'SPY', window: 200_000 }) },
      'RSI (SPY, window 200000) has no value in the period: the range is shorter than the warm-up.',
    ],
  ])('$1', async (fields, sentence) => {
    expect(await refusal({ ...mlForm, ...fields })).toEqual([400, sentence])
  })
})

it('refuses a body that is no form, and a file', async () => {
  const headers = headersOf(ann)
  const json = await server.app.inject({ method: 'POST', url: '/api/backtest', headers, payload: allocationForm })
  expect([json.statusCode, json.json<ErrorAnswer>().error]).toEqual([
    400,
    'Send this call as a form (multipart/form-data).',
  ])
  const form = new FormData()
  form.append('features', new Blob(['x']), 'features.json')
  const body = new Response(form)
  const file = await server.app.inject({
    method: 'POST',
    url: '/api/backtest',
    headers: { ...headers, 'content-type': body.headers.get('content-type')! },
    payload: Buffer.from(await body.arrayBuffer()),
  })
  expect([file.statusCode, file.json<ErrorAnswer>().error]).toEqual([
    400,
    'features is a file, but this form takes none.',
  ])
})

it('reads a form without running it, and warns of what may not be meant', async () => {
  const check = (fields: typeof allocationForm) => postBacktest(server, ann, fields, '/api/backtest/check')
  expect((await check(allocationForm)).json()).toEqual({ warnings: [], problems: [] })
  const short = await check({ ...mlForm, target: '{"id":1,"params":{"ticker":"QQQ"}}', 'signal1_allocation[]': ['90'] })
  expect(short.json()).toEqual({
    warnings: [
      'The Buy allocation adds up to 90%: the rest stays in cash.',
      'The target looks at QQQ, which neither Buy nor Sell holds.',
    ],
    problems: [],
  })
  const early = { startDate: '2020-01-02', endDate: '2020-06-30', dataGranularity: '15minute', dataProvider: 'auto' }
  expect((await check({ ...allocationForm, ...early })).json<{ warnings: string[] }>().warnings).toEqual([
    expect.stringMatching(
      /^Yahoo Finance has 15m bars from \d{4}-\d{2}-\d{2} on; before that, only data that is already stored is used\.$/,
    ),
  ])
  const problem = 'The starting value must be a number, was "a lot".'
  const wrong = { ...allocationForm, startValue: 'a lot' }
  // A browser writes every refused call into its console, so a form that is not finished yet is no failed call.
  const checked = await check(wrong)
  expect([checked.statusCode, checked.json()]).toEqual([200, { warnings: [], problems: [problem] }])
  const run = await postBacktest(server, ann, wrong)
  expect([run.statusCode, run.json<ErrorAnswer>().error]).toEqual([400, problem])
})
