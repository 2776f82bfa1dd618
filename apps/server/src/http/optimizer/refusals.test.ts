import type { OptimizationRequest } from '@tradewright/contract/optimizer-form'
import { beforeAll, expect, it } from 'vitest'
import { optimizationForm, optimize } from '../../../test-support/optimization.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let user: RegisteredUser
beforeAll(async () => {
  server = await sharedTestApp()
  user = await register(server)
})

it.each([
  ['GET', '/api/optimization-runs'],
  ['GET', '/api/optimization-runs/1'],
  ['DELETE', '/api/optimization-runs/1'],
  ['DELETE', '/api/optimization-runs'],
  ['POST', '/api/feature-optimization'],
  ['POST', '/api/optimization-runs/1/cancel'],
] as const)('%s %s answers 401 without a session [OPT-099]', async (method, url) => {
  expect((await server.app.inject({ method, url })).statusCode).toBe(401)
})

it.each([
  ['GET', '/api/optimization-runs/999999'],
  ['GET', '/api/optimization-runs/99999999999999'],
  ['DELETE', '/api/optimization-runs/999999'],
  ['POST', '/api/optimization-runs/999999/pause'],
  ['GET', '/api/optimization-runs/999999/export'],
] as const)('%s %s answers 404 [OPT-118]', async (method, url) => {
  const answer = await server.app.inject({ method, url, headers: headersOf(user) })
  expect(answer.statusCode).toBe(404)
  expect(answer.json<{ error: string }>().error).toBe('There is no such optimization run.')
})

it('answers 200 to the keep-alive call without a session [OPT-115]', async () => {
  expect((await server.app.inject({ url: '/health' })).statusCode).toBe(200)
})

type Case = [what: string, change: Partial<OptimizationRequest> & Record<string, unknown>, sentence: string]

it.each([
  ['no feature types', { feature_types: [] }, 'Select at least one feature type'],
  ['no target', { target_id: null }, 'Choose a target for prediction'],
  ['no start date', { start_date: '' }, 'Set start date for backtest period'],
  ['no end date', { end_date: undefined }, 'Set end date for backtest period'],
  ['no target ticker', { target_asset: ' , ' }, 'Add at least one target ticker before running the optimizer.'],
  ['an unknown target', { target_id: 'NaN' }, 'Select a valid target definition before running the optimizer.'],
  ['a target of no number', { target_id: 99 }, 'Select a valid target definition before running the optimizer.'],
  ['an unknown feature', { feature_types: [999] }, 'There is no feature "999".'],
  [
    'ranges that parse to nothing',
    { feature_configs: { '7': { window: ' , ' } } },
    'RSI: enter at least one value for window.',
  ],
  ['a range of words', { feature_configs: { '7': { window: 'soon, later' } } }, 'window must be a whole number'],
  ['a parameter that does not exist', { feature_configs: { '7': { depth: [1] } } }, 'RSI has no parameter "depth".'],
  ['a range of objects', { feature_configs: { '7': { window: [{}] } } }, 'must be a list of numbers or texts.'],
  ['a population of 1', { population_size: 1 }, 'from 2 to 500, was 1.'],
  ['a population of 0', { population_size: 0 }, 'from 2 to 500, was 0.'],
  ['a population of 10,000', { population_size: 10_000 }, 'from 2 to 500, was 10000.'],
  ['generations of 0', { generations: 0 }, 'from 1 to 200, was 0.'],
  ['generations of -1', { generations: -1 }, 'from 1 to 200, was -1.'],
  ['10,000 generations', { generations: '10000' }, 'from 1 to 200, was 10000.'],
  ['a population of words', { population_size: 'many' }, 'The population size must be a number, was "many".'],
  ['a mutation rate of 2', { mutation_rate: 2 }, 'The mutation rate must be from 0 to 1, was 2.'],
  ['a metric that does not exist', { evaluation_metric: 'luck' }, 'The evaluation metric must be'],
  ['a mode that does not exist', { wf_fitness_mode: 'best' }, 'The fitness mode must be'],
  ['a model that does not exist', { ml_model: 'Oracle' }, 'The model type must be'],
  ['a million trees', { n_estimators: 1_000_000 }, 'n_estimators must be from 1 to 5000'],
  ['sizes that do not add up', { train_size: 70, test_size: 50 }, 'must add up to 100%'],
  [
    'windows larger than the data',
    { walk_forward_enabled: true, wf_train_window_pct: 95, wf_test_window_pct: 20 },
    'at most 100% are allowed',
  ],
  ['an end before the start', { end_date: '2020-01-01' }, 'is before the start date'],
  ['an end in the future', { end_date: '2999-01-01' }, 'is in the future'],
  ['a date that is none', { start_date: 'yesterday' }, 'must be a date like'],
  ['a granularity that does not exist', { data_granularity: 'weekly' }, 'The data granularity must be'],
  ['a provider that does not exist', { data_provider: 'crystal-ball' }, 'There is no data provider "crystal-ball".'],
  ['a target ticker without data', { target_asset: 'NOSUCHTICKER' }, 'There is no data for NOSUCHTICKER'],
  ['a related asset without data', { related_assets: ['NOSUCHTICKER'] }, 'There is no data for NOSUCHTICKER'],
  ['a ticker that is none', { related_assets: ['SP Y!'] }, 'is not a ticker'],
  ['a range too short', { start_date: '2022-12-01' }, 'at least 40 are needed'],
  ['a seed of another asset', { seed_features: [{ id: 7, params: { ticker: 'AAPL', window: 14 } }] }, 'does not fit'],
  ['a seed of another value', { seed_features: [{ id: 7, params: { ticker: 'SPY', window: 99 } }] }, 'does not fit'],
  ['a seed of another type', { seed_features: [{ id: 4, params: { ticker: 'SPY', window: 5 } }] }, 'does not fit'],
  ['a hold-out of everything', { hold_out_pct: 100 }, 'The hold-out must be from 0% to 50%'],
  ['a seed that is no whole number', { seed: 1.5 }, 'The seed must be a whole number, was 1.5.'],
  ['a negative allocation', { signal1_allocations: [{ ticker: 'SPY', allocation: -5 }] }, 'cannot be negative'],
  ['a list that does not exist', { target_list_ids: [12345] }, 'There is no such ticker list.'],
] as Case[])('refuses %s with a sentence [OPT-079] [OPT-080] [OPT-116] [OPT-117]', async (_, change, sentence) => {
  const answer = await optimize(server, user, { ...optimizationForm, ...change })
  expect(answer.statusCode).toBeGreaterThanOrEqual(400)
  expect(answer.statusCode).toBeLessThan(500)
  const { success, error, message } = answer.json<Record<string, unknown>>()
  expect({ success, error }).toEqual({ success: false, error: message })
  expect(error).toContain(sentence)
})

it('refuses a body that is something else altogether', async () => {
  for (const body of [{ feature_types: 'all' }, { targets: 7 }, { seed_features: ['rsi'] }, []]) {
    expect((await post(server, '/api/feature-optimization', body, headersOf(user))).statusCode).toBe(400)
  }
})

it('keeps a run that failed, with the reason [OPT-065] [OPT-125]', async () => {
  await optimize(server, user, { ...optimizationForm, target_asset: 'NOSUCHTICKER' })
  const answer = await server.app.inject({ url: '/api/optimization-runs', headers: headersOf(user) })
  const [run] = answer.json<{ optimization_runs: { status: string; error_message: string }[] }>().optimization_runs
  expect(run!.status).toBe('failed')
  expect(run!.error_message).toContain('NOSUCHTICKER')
})
