import { BacktestAnswer, SavedBacktest } from '@tradewright/contract/backtests'
import { modelLabels } from '@tradewright/core/model-catalogue'
import { brotliDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, mlForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let ann: RegisteredUser
let bob: RegisteredUser
beforeAll(async () => {
  server = await sharedTestApp()
  ann = await register(server)
  bob = await register(server)
})

const run = async (fields: typeof allocationForm, user = ann) => {
  const answer = await postBacktest(server, user, fields)
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return BacktestAnswer.strict().parse(answer.json())
}
const get = (url: string, user?: RegisteredUser) =>
  server.app.inject({ url, headers: user ? headersOf({ token: user.token }) : {} })
const remove = (url: string, user: RegisteredUser) =>
  server.app.inject({ method: 'DELETE', url, headers: headersOf({ token: user.token }) })

describe('Asset Allocation', () => {
  it('answers a full result with the defaults [BT-085] [BT-086] [BT-088] [BT-089] [BT-094] [BT-095] [BT-129]', async () => {
    const result = await run(allocationForm)
    expect(result).toMatchObject({
      strategy: 'Sixty forty',
      strategy_type: 'Asset Allocation',
      allocation: { SPY: 60, AGG: 40 },
      actual_start_date: '2018-01-02',
      target_accuracy: null,
      ml_config: null,
      walk_forward_enabled: false,
      synthetic: true,
      seed: 42,
      strategy_id: null,
      backtest_id: null,
      settings: { start_value: 10_000, rebalance_frequency: 'yearly', trading_cost_bps: 1 },
    })
    const { length } = result.test_dates
    expect(length).toBeGreaterThan(1200)
    for (const list of [result.chart_data, result.account_value_history, result.detailed_results, result.ticker_dates])
      expect(list).toHaveLength(length)
    expect(result.chart_data[0]).toEqual({ date: '2018-01-02', value: result.account_value_history[0] })
    expect(result.cagr).toBeCloseTo((1 + result.metrics.total_return) ** (365.25 / 1823) - 1, 9)
    expect(result.sharpe).toEqual(expect.any(Number))
    expect(result.trades.map(({ ticker }) => ticker)).toContain('AGG')
  })

  it('says where its data came from, and that it is made up [BT-096]', async () => {
    const { data_sources: sources, synthetic_tickers, series_sources, fingerprint } = await run(allocationForm)
    expect(sources.simulation.requested).toEqual({ start: '2018-01-02', end: '2022-12-30', granularity: 'daily' })
    expect(sources.simulation.providers.map(({ provider }) => provider)).toEqual(['sample'])
    expect(sources.simulation.providers[0]!.tickers).toEqual(expect.arrayContaining(['AGG', 'SPY']))
    expect(sources.features.combined).toBeNull()
    expect(synthetic_tickers).toEqual(['AGG', 'SPY'])
    expect(series_sources.map(({ ticker, used_for }) => [ticker, used_for])).toEqual([
      ['AGG', 'traded'],
      ['SPY', 'traded'],
      ['TB3MS', 'rate'],
    ])
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/)
  })

  it('gives the same figures to the last digit when it is repeated', async () => {
    const { result_id: _, data_at: _at, ...first } = await run(allocationForm)
    expect(await run(allocationForm)).toMatchObject(first)
  })

  it('holds cash at a constant $100: no return [BT-147]', async () => {
    const onlyCash = { ...allocationForm, 'ticker[]': ['CASHX'], 'allocation[]': ['100'], riskFreeTicker: 'CASHX' }
    const cash = await run(onlyCash)
    expect(cash.metrics.total_return).toBe(0)
    expect(new Set(cash.account_value_history)).toEqual(new Set([10_000]))
    expect(cash.sharpe).toBeNull()
    expect(cash.figure_notes['sharpe']).toEqual(expect.any(String))
  })

  it('compares with a reference ticker, trimmed and upper-cased [BT-091] [BT-114] [BT-146]', async () => {
    const result = await run({ ...allocationForm, referenceTicker: ' spy?L=2 ' })
    expect(result.reference_backtest_name).toBe('SPY?L=2')
    expect(result.reference_cagr).toEqual(expect.any(Number))
    expect(result.reference_account_value_history).toHaveLength(result.test_dates.length)
    expect(result.reference_growth_history).toHaveLength(result.test_dates.length)
    expect(result.metrics.beta).toEqual(expect.any(Number))
    const { annual, contributions, correlations } = result.analysis!
    expect(correlations!.tickers.toSorted()).toEqual(['AGG', 'SPY'])
    const parts = [...contributions.assets, contributions.rest]
    const total = parts.reduce((sum, { to_return }) => sum + to_return, 0)
    expect(total).toBeCloseTo(result.metrics.total_return, 12)
    expect(annual.map(({ year, nominal }) => ({ year, return: nominal }))).toEqual(result.yearly_returns)
    expect(annual.every(({ real, reference_nominal }) => real === null && reference_nominal !== null)).toBe(true)
    expect(result.figure_notes['analysis.annual.real']).toMatch('did not adjust for inflation')
  })

  it("includes the first session's return where it is asked to, and saves that with the strategy", async () => {
    const plain = await run(allocationForm)
    expect(plain.settings.include_first_return).toBe(false)
    const result = await run({
      ...allocationForm,
      strategyName: 'As printed elsewhere',
      includeFirstReturn: 'true',
      saveStrategy: 'true',
    })
    expect(result).toMatchObject({
      start_date: '2018-01-02',
      actual_start_date: '2017-12-29',
      settings: { include_first_return: true },
    })
    expect(result.test_dates.slice(1)).toEqual(plain.test_dates)
    const saved = await get(`/api/strategies/${result.strategy_id}`, ann)
    expect(saved.json()).toMatchObject({ config: { includeFirstReturn: true, startDate: '2018-01-02' } })
  })

  it('runs within the day, with instants as dates [BT-164]', async () => {
    const result = await run({
      ...allocationForm,
      startDate: '2022-03-01',
      endDate: '2022-03-04',
      dataGranularity: 'hourly',
    })
    expect(result.data_granularity).toBe('hourly')
    expect(result.test_dates[0]).toMatch(/^2022-03-01T\d\d:\d\d:\d\dZ$/)
  })
})

describe('ML', () => {
  it('runs the recommended settings of each model, and opens them again from what was saved', async () => {
    for (const [mlModelType, fields, saved] of [
      ['Random Forest', { min_samples_leaf: '0.05', n_estimators: '20' }, { min_samples_leaf: 0.05, n_estimators: 20 }],
      [
        'XGBoost',
        { boosting_rounds: '30', max_depth: '2', learning_rate: '0.05', min_leaf_share: '0.02', find_rounds: 'true' },
        { boosting_rounds: 30, max_depth: 2, learning_rate: 0.05, min_leaf_share: 0.02, find_rounds: true },
      ],
    ] as const) {
      const form = { ...mlForm, walkForwardEnabled: 'false', mlModelType, ...fields }
      const result = await run({ ...form, strategyName: `Recommended ${mlModelType}`, saveStrategy: 'true' })
      expect(result.notes.join()).not.toContain('The recommended settings')
      const strategy = await get(`/api/strategies/${result.strategy_id}`, ann)
      expect(strategy.json()).toMatchObject({ config: { mlModelType, ...saved } })
    }
  })

  it('says of small leaves that found nothing that the recommended settings would likely have done better', async () => {
    const usual = { ...mlForm, walkForwardEnabled: 'false', n_estimators: '5' }
    const { notes, accuracy_details: accuracy } = await run({ ...usual, min_samples_leaf: '1' })
    const isNoise = (accuracy?.p_value ?? 1) >= 0.05
    expect(notes.some((note) => note.includes('The recommended settings of the form would likely'))).toBe(isNoise)
    const wide = await run({ ...usual, min_samples_leaf: '0.05' })
    expect(wide.notes.join()).not.toContain('The recommended settings')
  })

  it('answers predictions, features and importances [BT-087] [BT-092] [BT-093] [BT-144]', async () => {
    const result = await run({ ...mlForm, walkForwardEnabled: 'false' })
    expect(result).toMatchObject({
      strategy_type: 'ML',
      ml_model_type: 'Random Forest',
      test_size: 30,
      ml_config: {
        model_type: 'Random Forest',
        train_size: 70,
        test_size: 30,
        signal1_allocations: [{ ticker: 'SPY', allocation: 100 }],
        signal0_allocations: [{ ticker: 'AGG', allocation: 100 }],
      },
      ml_params: { n_estimators: 20, max_features: 'sqrt', min_samples_leaf: 3, min_samples_split: 3 },
      signal1_allocation: { SPY: 100 },
      allocation: null,
      walk_forward_windows: null,
      honesty: { truncation: { passed: true }, rows_purged: 1 },
    })
    const { length } = result.test_dates
    expect(result.target_accuracy).toBeGreaterThan(0.3)
    expect(result.features!.map(({ id }) => id)).toEqual([7, 1])
    expect(result.feature_importances!.reduce((sum, { importance }) => sum + importance, 0)).toBeCloseTo(1, 9)
    expect(result.test_predictions).toHaveLength(length)
    for (const { name } of result.features!) expect(result.test_feature_values![name]).toHaveLength(length)
    expect(result.train_period!.end_date < result.test_period!.start_date).toBe(true)
  })

  it('answers windows and a summary with walk-forward [BT-090] [BT-097] [BT-098] [BT-145]', async () => {
    const result = await run({ ...mlForm, referenceTicker: 'SPY' })
    const windows = result.walk_forward_windows!
    expect(result.walk_forward_enabled).toBe(true)
    expect(windows.length).toBeGreaterThan(5)
    expect(result.walk_forward_summary!.total_windows).toBe(windows.length)
    for (const window of windows) {
      expect(window.train_end < window.test_start).toBe(true)
      expect(window.predictions_buy + window.predictions_sell).toBe(window.test_rows)
      const { length } = window.dates
      for (const list of [window.account_history, window.predictions, window.reference_account_history!])
        expect(list).toHaveLength(length)
    }
  })

  it.each(modelLabels)('learns with %s, the same twice [BT-165]', async (mlModelType) => {
    const form = { ...mlForm, mlModelType, wfStepSizePct: '10' }
    const first = await run(form)
    expect(first.ml_model_type).toBe(mlModelType)
    const { result_id: _, data_at: _at, ...second } = await run(form)
    expect(first).toMatchObject(second)
  })
})

describe('saving', () => {
  it('keeps the strategy and the backtest, and finds both again [BT-080] [BT-082] [BT-083] [BT-084] [BT-126] [BT-127] [BT-142] [BT-143]', async () => {
    const form = { ...mlForm, strategyName: 'Kept', saveStrategy: 'true', saveBacktest: 'on', backtestName: 'First' }
    const result = await run(form)
    const { strategy_id: strategyId, backtest_id: backtestId, result_id: resultId, result_name: name, ...data } = result
    expect([resultId, name]).toEqual([backtestId, 'First'])
    const saved = SavedBacktest.strict().parse((await get(`/api/backtests/${backtestId}`, ann)).json())
    expect(saved.result_data).toEqual(data)
    expect(saved).toMatchObject({ id: backtestId, name: 'First', strategy_name: 'Kept', strategy_id: strategyId })
    expect(saved.strategy_config).toMatchObject({
      mlModelType: 'Random Forest',
      trainSize: 70,
      n_estimators: expect.any(Number),
      max_features: expect.any(String),
      min_samples_leaf: expect.any(Number),
      min_samples_split: expect.any(Number),
      walkForwardEnabled: true,
      wfStepSizePct: null,
      signal1Allocations: [{ ticker: 'SPY', allocation: 100 }],
      startDate: '2018-01-02',
      dataGranularity: 'daily',
    })
    const strategy = (await get(`/api/strategies/${strategyId}`, ann)).json<{ config: object }>()
    expect(strategy).toMatchObject({ name: 'Kept', strategy_type: 'ML', config: saved.strategy_config })
    const results = (await get(`/api/strategies/${strategyId}/results`, ann)).json<{ backtests: object[] }>()
    expect(results.backtests).toMatchObject([{ id: backtestId, name: 'First' }])
    const all = (await get('/api/backtests/all', ann)).json<{ backtests: { id: number }[] }>()
    expect(all.backtests[0]).toMatchObject({ id: backtestId, strategy_name: 'Kept' })
    const performance = (await get('/api/strategy-performance', ann)).json<{ all: object[] }>()
    expect(performance.all).toContainEqual(
      expect.objectContaining({ strategy_id: strategyId, strategy_name: 'Kept', cagr_numeric: result.cagr }),
    )
  })

  it('keeps and answers more than ten thousand rows to the last digit, compressed on the way', async () => {
    const minutes = { startDate: '2022-03-01', endDate: '2022-04-08', dataGranularity: 'minute', saveBacktest: 'true' }
    const { strategy_id: _, backtest_id: id, ...answer } = await run({ ...allocationForm, ...minutes })
    const { result_id: _id, result_name: _name, ...result } = answer
    expect(result.test_dates.length).toBeGreaterThan(10_000)
    const headers = { ...headersOf({ token: ann.token }), 'accept-encoding': 'br' }
    const read = await server.app.inject({ url: `/api/backtests/${id}`, headers })
    expect(read.headers['content-encoding']).toBe('br')
    const saved = SavedBacktest.parse(JSON.parse(brotliDecompressSync(read.rawPayload).toString()))
    expect(saved.result_data).toEqual(result)
    const compared = await run({
      ...allocationForm,
      ...minutes,
      saveBacktest: 'false',
      referenceBacktestId: String(id),
    })
    expect(compared.reference_account_value_history).toEqual(result.account_value_history)
  })

  it('updates the strategy of the same name and type, and keeps a backtest without one [BT-142] [BT-143]', async () => {
    const form = { ...allocationForm, strategyName: 'Twice', saveStrategy: 'true' }
    const first = await run(form)
    const second = await run({ ...form, 'allocation[]': ['50', '50'] })
    expect(second.strategy_id).toBe(first.strategy_id)
    const strategy = (await get(`/api/strategies/${first.strategy_id}`, ann)).json<{ config: object }>()
    expect(strategy.config).toMatchObject({ allocations: [{ allocation: 50 }, { allocation: 50 }] })
    const alone = await run({ ...form, saveStrategy: 'false', saveBacktest: 'true' })
    expect(alone.strategy_id).toBeNull()
    const saved = (await get(`/api/backtests/${alone.backtest_id}`, ann)).json<object>()
    expect(saved).toMatchObject({ strategy_id: null, strategy_name: 'Twice' })
    expect((await get(`/api/strategies/${first.strategy_id}/results`, ann)).json()).toEqual({ backtests: [] })
  })

  it('compares with a saved backtest, unless a reference ticker is named [BT-091] [BT-115] [BT-134]', async () => {
    const saved = await run({ ...allocationForm, startDate: '2019-06-03', saveBacktest: 'true', backtestName: 'Short' })
    const referenceBacktestId = String(saved.backtest_id)
    const compared = await run({ ...allocationForm, referenceBacktestId })
    expect(compared).toMatchObject({ reference_backtest_name: 'Short', reference_cagr: saved.cagr })
    // Nearly the same portfolio: only its weights had drifted before.
    expect(compared.metrics.beta).toBeCloseTo(1, 2)
    const history = compared.reference_account_value_history!
    expect(history).toHaveLength(compared.test_dates.length)
    expect(history[0]).toBeNull()
    expect(history.slice(-saved.account_value_history.length)).toEqual(saved.account_value_history)
    const ticker = await run({ ...allocationForm, referenceBacktestId, referenceTicker: 'QQQ' })
    expect(ticker.reference_backtest_name).toBe('QQQ')
  })

  it('compares with a saved backtest on the days that both have', async () => {
    const saved = await run({ ...allocationForm, startDate: '2016-01-04', endDate: '2020-12-31', saveBacktest: 'true' })
    const referenceBacktestId = String(saved.backtest_id)
    const compared = await run({ ...allocationForm, 'allocation[]': ['80', '20'], referenceBacktestId })
    const period = compared.reference_period!
    expect(period).toMatchObject({ start_date: '2018-01-02', end_date: '2020-12-31' })
    // The figures of its whole run, which has two years more, would be others.
    expect(compared.reference_cagr).not.toBeCloseTo(saved.cagr!, 4)
    expect(period.own_metrics.cagr).not.toBeCloseTo(compared.cagr!, 4)
    const own = await run({ ...allocationForm, 'allocation[]': ['80', '20'], endDate: '2020-12-31' })
    for (const figure of ['cagr', 'sharpe', 'sortino', 'volatility', 'calmar'] as const)
      expect(period.own_metrics[figure], figure).toBeCloseTo(own.metrics[figure]!, 12)
  })

  it('compares with a ticker until withdrawals have used the account up', async () => {
    const emptied = await run({ ...allocationForm, cashflow: '-4000', referenceTicker: 'QQQ' })
    const period = emptied.reference_period!
    expect(period.end_date < '2022-12-30').toBe(true)
    const until = await run({ ...allocationForm, endDate: period.end_date, referenceTicker: 'QQQ' })
    // The stored values do not have the costs of the last sale.
    expect(period.own_metrics.cagr).toBeCloseTo(emptied.cagr!, 3)
    expect(emptied.reference_metrics!.volatility).toBeCloseTo(until.reference_metrics!.volatility!, 3)
    expect(emptied.metrics.beta).toBeCloseTo(until.metrics.beta!, 3)
    const growth = emptied.growth_history
    expect([growth.length, growth.at(-1)]).toEqual([emptied.test_dates.length, null])
    const real = await run({ ...allocationForm, cashflow: '-4000', adjustInflation: 'true', referenceTicker: 'QQQ' })
    const lived = real.growth_history.filter((one) => one !== null)
    expect(Math.abs(lived.at(-1)! / lived.at(-2)! - 1)).toBeLessThan(0.03)
    expect(real.reference_period!.own_metrics.cagr).toBeCloseTo(real.cagr!, 3)
  })

  it('refuses a saved backtest of other years', async () => {
    const early = { startDate: '2012-01-03', endDate: '2013-12-31', saveBacktest: 'true', backtestName: 'Early' }
    const saved = await run({ ...allocationForm, ...early })
    const refused = await postBacktest(server, ann, {
      ...allocationForm,
      referenceBacktestId: String(saved.backtest_id),
    })
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      400,
      '“Early” runs from 2012-01-03 to 2013-12-31: it has no period in common with this backtest, so the two cannot be compared.',
    ])
  })
})

describe('ownership', () => {
  it("answers 404 to another's backtest, also as a comparison, and acknowledges a deletion [BT-122] [BT-123] [BT-128] [BT-152]", async () => {
    const { backtest_id: id } = await run({ ...allocationForm, saveBacktest: 'true' })
    const missing = [
      await get(`/api/backtests/${id}`, bob),
      await remove(`/api/backtests/${id}`, bob),
      await get('/api/backtests/999999999999', ann),
      await postBacktest(server, bob, { ...allocationForm, referenceBacktestId: String(id) }),
    ]
    for (const answer of missing) {
      expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([404, 'There is no such backtest.'])
    }
    expect((await get('/api/backtests/all', bob)).json()).toEqual({ backtests: [] })
    expect((await get(`/api/backtests/${id}`, ann)).statusCode).toBe(200)
    expect((await remove(`/api/backtests/${id}`, ann)).json()).toEqual({ success: true })
    expect((await get(`/api/backtests/${id}`, ann)).statusCode).toBe(404)
  })

  it('answers 401 without a session, and 400 to a malformed id [BT-121]', async () => {
    const answers = [
      await get('/api/backtests/all'),
      await get('/api/backtests/1'),
      await get('/api/features'),
      await get('/api/targets'),
      await postBacktest(server, {}, allocationForm),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401, 401])
    expect((await get('/api/backtests/first', ann)).statusCode).toBe(400)
  })
})
