import type { OptimizationResults } from '@tradewright/contract/optimization-results'
import { OPTIMIZER_LIMITS } from '@tradewright/contract/optimizer-form'
import { modelLabels } from '@tradewright/core/model-catalogue'
import { searchLimits } from '@tradewright/engine/optimizer/request'
import { beforeAll, describe, expect, it } from 'vitest'
import { optimizationForm, optimize, type Runs, runsOf } from '../../../test-support/optimization.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let user: RegisteredUser
let runs: Runs
beforeAll(async () => {
  server = await sharedTestApp()
  user = await register(server)
  runs = runsOf(server, user)
})

describe('a finished run', () => {
  const seed = { id: 7, name: 'RSI', params: { ticker: 'SPY', window: 14 } }
  let results: OptimizationResults
  let id: number
  beforeAll(async () => {
    const form = { ...optimizationForm, seed_features: [seed], walk_forward_enabled: true, wf_step_size_pct: 10 }
    const answer = await optimize(server, user, form)
    expect(answer.statusCode).toBe(200)
    const body = answer.json<{ success: boolean; run_id: number; results: OptimizationResults }>()
    expect(body.success).toBe(true)
    results = body.results
    id = body.run_id
  })

  it('answers its results when it ends [OPT-106..114]', () => {
    expect(results.total_evaluations).toBeGreaterThan(8)
    expect(results.runtime_seconds).toBeGreaterThan(0)
    expect(results.best_generation).toBeGreaterThanOrEqual(1)
  })

  it('carries the best features and how they did [OPT-053] [OPT-055] [OPT-059]', () => {
    expect(results.best_features.length).toBeGreaterThan(0)
    expect(results.best_features.length).toBeLessThanOrEqual(3)
    for (const { name, type, params } of results.best_features) {
      expect(['Percent change', 'RSI']).toContain(name)
      expect(['percent_change', 'rsi']).toContain(type)
      expect(['SPY', 'TLT', 'GLD']).toContain(params['ticker'])
    }
    const { accuracy, f1_score, sharpe, cagr } = results.best_performance
    expect(accuracy).toBeGreaterThan(0.3)
    expect([f1_score, sharpe, cagr].every((figure) => figure !== null)).toBe(true)
    expect(results.train_period.start_date < results.test_period.end_date).toBe(true)
  })

  it('tells every walk-forward window [OPT-054]', () => {
    const { window_count: count, windows } = results.best_performance.walk_forward!
    expect(windows).toHaveLength(count)
    expect(count).toBeGreaterThan(3)
    expect(windows.map(({ window_num: number }) => number)).toEqual([...windows.keys()].map((i) => i + 1))
    for (const window of windows) {
      expect(window.test_start <= window.test_end).toBe(true)
      expect(window.test_rows).toBeGreaterThan(10)
      expect(window.accuracy).toBeGreaterThanOrEqual(0)
    }
    const mean = windows.reduce((sum, { accuracy }) => sum + accuracy!, 0) / count
    expect(results.best_fitness).toBeCloseTo(mean, 10)
  })

  it('names its target, its end and its seeds [OPT-056..058]', () => {
    expect(results.best_target).toMatchObject({
      target_label: 'Next-bar direction (SPY)',
      target_asset: 'SPY',
      related_assets: ['TLT', 'GLD'],
    })
    expect(results.best_target_asset).toBe('SPY')
    expect(results.targets_considered).toBe(1)
    expect(results).toMatchObject({ stopped_at_generation: 3, stopped_early: false })
    expect(results.early_stopping.enabled).toBe(false)
    expect(results.seed_info).toMatchObject({ used_seed: true, seed_features_count: 1 })
    expect(results.seed_info.improvement_over_seed).toBeCloseTo(
      results.best_fitness - results.seed_info.seed_fitness!,
      12,
    )
  })

  it('puts its own buy allocation, always held, beside the winner', () => {
    const held = results.buy_and_hold!
    expect(held.allocation).toEqual(results.optimized_strategy.signal1_allocations)
    expect(held.performance.cagr).not.toBeNull()
    expect(results.luck.hold_out.buy_and_hold!.cagr).not.toBeNull()
    for (const curve of [held.test_curve, held.hold_out_curve!]) {
      expect(curve.dates.length).toBeGreaterThan(50)
      expect([curve.winner.length, curve.buy_and_hold.length]).toEqual([curve.dates.length, curve.dates.length])
    }
    expect(held.hold_out_curve!.dates.at(-1)).toBe(results.luck.hold_out.period!.end_date)
    for (const window of results.best_performance.walk_forward!.windows) expect(window.buy_and_hold).not.toBeNull()
  })

  it('says how much of the winner is luck', () => {
    const { hold_out: holdOut, deflated_sharpe: deflated, overfitting_probability: overfitting } = results.luck
    expect(holdOut.rows).toBeGreaterThan(50)
    expect(holdOut.period!.start_date > results.test_period.end_date).toBe(true)
    expect(deflated.trials).toBe(results.total_evaluations)
    expect(deflated.value).toBeGreaterThanOrEqual(0)
    expect(deflated.value).toBeLessThanOrEqual(1)
    expect(overfitting.trials).toBeGreaterThan(1)
    expect(results.luck.feature_stability.features).toHaveLength(results.best_features.length)
    for (const part of [holdOut, deflated, overfitting, results.luck.feature_stability, results.luck.summary]) {
      expect(['good', 'caution', 'bad', 'unknown']).toContain(part.verdict)
      expect(part.verdict_text.length).toBeGreaterThan(3)
      expect(part.sentence).toMatch(/\.$/)
    }
    expect(results.synthetic).toBe(true)
    expect(results.synthetic_tickers).toContain(results.best_target_asset)
    const { actual_period: period } = results
    expect(period!.start_date <= results.train_period.start_date).toBe(true)
    expect(results.data_sources.providers.map(({ provider }) => provider)).toEqual(['sample'])
  })

  it('hands a strategy to Backtest Studio [OPT-062..064]', () => {
    expect(results.optimized_strategy).toMatchObject({
      name: 'Optimized Strategy - SPY',
      type: 'ML',
      target_asset: 'SPY',
      related_assets: ['TLT', 'GLD'],
      features: results.best_features,
      target_id: 1,
      target_config: { ticker: 'SPY' },
      start_date: '2021-01-04',
      end_date: '2022-12-30',
      dataGranularity: 'daily',
      data_granularity: 'daily',
      ml_model: 'Random Forest',
      train_size: 70,
      test_size: 30,
      ml_parameters: { n_estimators: 10, min_samples_leaf: 3, min_samples_split: 3, max_features: 'sqrt' },
      signal1_allocations: [{ ticker: 'SPY', allocation: 100 }],
      signal0_allocations: [{ ticker: 'CASHX', allocation: 100 }],
      optimization_results: { best_fitness: results.best_fitness, total_evaluations: results.total_evaluations },
    })
  })

  it('is listed, and reads back with its results and history [OPT-102] [OPT-103] [OPT-120] [OPT-046..052]', async () => {
    expect((await runs.list()).map((run) => run.id)).toContain(id)
    const run = await runs.get(id)
    expect(run.results).toEqual(results)
    expect(run).toMatchObject({
      id,
      status: 'completed',
      paused: false,
      target_asset: 'SPY',
      related_assets: ['TLT', 'GLD'],
      feature_types: [1, 7],
      target_id: 1,
      date_range: { start_date: '2021-01-04', end_date: '2022-12-30' },
      ga_parameters: {
        population_size: 8,
        generations: 3,
        mutation_rate: 0.2,
        max_features: 3,
        evaluation_metric: 'accuracy',
      },
      ml_config: { model: 'Random Forest', train_size: 70, test_size: 30 },
      optimization_config: {
        feature_configs: { '1': { window: [1, 5] } },
        n_estimators: 10,
        min_samples_leaf: 3,
        min_samples_split: 3,
        max_features_rf: 'sqrt',
        walk_forward_enabled: true,
        wf_step_size_pct: 10,
        wf_fitness_mode: 'mean_only',
        variance_penalty: 0.5,
        variance_exponent: 1,
        early_stopping: false,
        es_patience: 3,
        es_min_improvement: 0.001,
        target_list_ids: [],
        feature_list_ids: [],
        data_granularity: 'daily',
        seed_features: [{ id: 7, params: { ticker: 'SPY', window: 14 } }],
        seed: 42,
      },
      error_message: null,
      train_period: results.train_period,
      test_period: results.test_period,
      progress: null,
    })
  })

  it('has a history of generations with their individuals [OPT-060] [OPT-061] [OPT-027]', async () => {
    const { generation_history: history } = await runs.get(id)
    expect(history.map(({ generation }) => generation)).toEqual([1, 2, 3])
    for (const entry of history) {
      expect(entry.best_fitness).toBeGreaterThanOrEqual(entry.avg_fitness)
      expect(entry.diversity).toBeGreaterThanOrEqual(0)
      expect(entry.best_features_count).toBe(entry.population_details[0]!.features.length)
      expect(entry.population_details.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    }
    const seeded = history[0]!.population_details.filter(({ is_seed: isSeed }) => isSeed)
    expect(seeded).toHaveLength(1)
    expect(seeded[0]!.features.map(({ label }) => label)).toEqual(['RSI (SPY, window 14)'])
  })

  it('gives later generations alone to who has the earlier ones, and one generation by itself', async () => {
    const headers = headersOf(user)
    const later = await server.app.inject({ url: `/api/optimization-runs/${id}?after_generation=2`, headers })
    expect(later.json<{ generation_history: { generation: number }[] }>().generation_history).toHaveLength(1)
    const one = await server.app.inject({ url: `/api/optimization-runs/${id}/generations/2`, headers })
    expect(one.json()).toMatchObject({ generation: 2, population_size: 8 })
    const none = await server.app.inject({ url: `/api/optimization-runs/${id}/generations/9`, headers })
    expect(none.statusCode).toBe(404)
    const wrong = await server.app.inject({ url: `/api/optimization-runs/${id}?after_generation=x`, headers })
    expect(wrong.statusCode).toBe(400)
  })

  it('finds the same winner when it is run again', async () => {
    const answer = await runs.act(id, 'rerun')
    const again = answer.json<{ run: { id: number } }>().run.id
    expect(again).not.toBe(id)
    await expect.poll(async () => (await runs.get(again)).status).toBe('completed')
    const {
      runtime_seconds: _a,
      evaluations_per_second: _b,
      optimized_strategy: _c,
      ...second
    } = (await runs.get(again)).results!
    const { runtime_seconds: _d, evaluations_per_second: _e, optimized_strategy: _f, ...first } = results
    expect(second).toEqual(first)
    const history = async (run: number) => (await runs.get(run)).generation_history
    expect(await history(again)).toEqual(await history(id))
  })

  it('can be taken away as a JSON file', async () => {
    const answer = await server.app.inject({ url: `/api/optimization-runs/${id}/export`, headers: headersOf(user) })
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="optimization-run-${id}.json"`)
    const { format, version, ...run } = answer.json<Record<string, unknown>>()
    expect({ format, version }).toEqual({ format: 'tradewright.optimization-run', version: 1 })
    expect(run).toEqual(await runs.get(id))
  })

  it('can no longer be paused or cancelled', async () => {
    for (const action of ['pause', 'resume', 'cancel'] as const) {
      expect((await runs.act(id, action)).statusCode).toBe(409)
    }
  })
})

it('searches over several targets, each with its own assets [OPT-113]', async () => {
  const targets = [
    { target_asset: 'SPY', target_id: 1, related_assets: ['TLT'], params: {} },
    { target_asset: 'QQQ', target_id: 2, related_assets: ['GLD'], params: { horizon: 3 } },
  ]
  // Without allocations, each individual buys its target's asset.
  const form = { ...optimizationForm, targets, signal1_allocations: [], signal0_allocations: [], generations: 2 }
  const answer = await optimize(server, user, { ...form, evaluation_metric: 'sharpe' })
  const { results, run_id: id } = answer.json<{ results: OptimizationResults; run_id: number }>()
  expect(results.targets_considered).toBe(2)
  expect(['SPY', 'QQQ']).toContain(results.best_target_asset)
  expect(results.optimized_strategy.signal1_allocations).toEqual([
    { ticker: results.best_target_asset, allocation: 100 },
  ])
  const { generation_history: history } = await runs.get(id)
  const details = history.flatMap((entry) => entry.population_details)
  expect(new Set(details.map(({ target_asset: asset }) => asset))).toEqual(new Set(['SPY', 'QQQ']))
  for (const { target_asset: asset, features } of details) {
    const assets = asset === 'SPY' ? ['SPY', 'TLT'] : ['QQQ', 'GLD']
    expect(features.every(({ params }) => assets.includes(String(params['ticker'])))).toBe(true)
  }
})

it.each(modelLabels.slice(1))('learns with %s, too', async (model) => {
  const answer = await optimize(server, user, { ...optimizationForm, generations: 1, ml_model: model })
  expect(answer.json<{ results: OptimizationResults }>().results.optimized_strategy.ml_model).toBe(model)
})

it('stops early where that was asked for [OPT-132]', async () => {
  const form = { ...optimizationForm, generations: 50, early_stopping: true, es_patience: 2, es_min_improvement: 0.5 }
  const { results } = (await optimize(server, user, form)).json<{ results: OptimizationResults }>()
  expect(results).toMatchObject({ stopped_early: true, stopped_at_generation: 3 })
  expect(results.early_stopping).toEqual({ enabled: true, patience_generations: 2, min_improvement: 0.5 })
})

it('deletes a run, and all of a user and of no other [OPT-100] [OPT-101] [OPT-104] [OPT-105] [OPT-118]', async () => {
  const [ann, ben] = [await register(server), await register(server)]
  const [anns, bens] = [runsOf(server, ann), runsOf(server, ben)]
  const form = { ...optimizationForm, generations: 1 }
  const [first] = [await anns.start(form), await anns.start(form)]
  const foreign = await bens.start(form)
  for (const answer of [
    await anns.remove(foreign),
    await anns.act(foreign, 'cancel'),
    await anns.act(foreign, 'rerun'),
  ]) {
    expect(answer.statusCode).toBe(404)
  }
  expect(
    (await server.app.inject({ url: `/api/optimization-runs/${foreign}`, headers: headersOf(ann) })).statusCode,
  ).toBe(404)
  expect((await anns.remove(first)).json()).toEqual({ success: true })
  expect((await anns.remove(first)).statusCode).toBe(404)
  expect(await anns.list()).toHaveLength(1)
  expect((await anns.remove()).statusCode).toBe(200)
  expect(await anns.list()).toEqual([])
  expect(await bens.list()).toHaveLength(1)
})

it('tells what a request would cost without running it', async () => {
  const url = '/api/feature-optimization/check'
  const answer = await server.app.inject({ method: 'POST', url, headers: headersOf(user), payload: optimizationForm })
  expect(answer.json()).toEqual({ candidate_features: 12, most_evaluations: 24, problems: [] })
  const payload = { ...optimizationForm, start_date: optimizationForm.end_date, end_date: optimizationForm.start_date }
  const run = await server.app.inject({
    method: 'POST',
    url: '/api/feature-optimization',
    headers: headersOf(user),
    payload,
  })
  const checked = await server.app.inject({ method: 'POST', url, headers: headersOf(user), payload })
  const problems = [run.json<{ error: string }>().error]
  expect([run.statusCode, checked.statusCode]).toEqual([400, 200])
  expect(checked.json()).toEqual({ candidate_features: null, most_evaluations: null, problems })
})

it('accepts what the contract says it accepts', () => {
  expect(OPTIMIZER_LIMITS).toEqual({
    population_size: searchLimits.populationSize,
    generations: searchLimits.generations,
    max_features: searchLimits.maxFeatures,
    candidate_features: searchLimits.candidates,
    targets: searchLimits.targets,
    nested_windows: searchLimits.nestedWindows,
  })
})
