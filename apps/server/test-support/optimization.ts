import type { OptimizationRun, OptimizationRunItem } from '@tradewright/contract/optimization-run'
import type { OptimizationRequest } from '@tradewright/contract/optimizer-form'
import type { LightMyRequestResponse } from 'fastify'
import type { TestServer } from './test-app.ts'
import { headersOf, post, type Credentials } from './visitor.ts'

/** A small run on two years of the sample market, which needs no network. */
export const optimizationForm: OptimizationRequest = {
  target_asset: 'SPY',
  related_assets: ['TLT', 'GLD'],
  feature_types: [1, 7],
  feature_configs: { '1': { window: [1, 5] } },
  target_id: 1,
  start_date: '2021-01-04',
  end_date: '2022-12-30',
  data_granularity: 'daily',
  population_size: 8,
  generations: 3,
  mutation_rate: 0.2,
  max_features: 3,
  evaluation_metric: 'accuracy',
  ml_model: 'Random Forest',
  train_size: 70,
  test_size: 30,
  signal1_allocations: [{ ticker: 'SPY', allocation: 100 }],
  signal0_allocations: [{ ticker: 'CASHX', allocation: 100 }],
  n_estimators: 10,
  min_samples_leaf: 3,
  min_samples_split: 3,
  max_features_rf: 'sqrt',
  early_stopping: false,
  seed_features: [],
  walk_forward_enabled: false,
  window_sizes: [5, 14],
  data_provider: 'sample',
}

/** So long that a test can do something meanwhile. */
export const longForm: OptimizationRequest = {
  ...optimizationForm,
  population_size: 20,
  generations: 150,
  n_estimators: 40,
  walk_forward_enabled: true,
  wf_step_size_pct: 10,
}

export const optimize = (
  server: TestServer,
  user: Credentials,
  form: OptimizationRequest,
): Promise<LightMyRequestResponse> => post(server, '/api/feature-optimization', form, headersOf(user))

export interface Runs {
  list(): Promise<OptimizationRunItem[]>
  get(id: number): Promise<OptimizationRun>
  start(form: OptimizationRequest): Promise<number>
  act(id: number, action: 'pause' | 'resume' | 'cancel' | 'rerun'): Promise<LightMyRequestResponse>
  remove(id?: number): Promise<LightMyRequestResponse>
}

export function runsOf(server: TestServer, user: Credentials): Runs {
  const headers = headersOf(user)
  const url = '/api/optimization-runs'
  return {
    list: async () =>
      (await server.app.inject({ url, headers })).json<{ optimization_runs: OptimizationRunItem[] }>()
        .optimization_runs,
    get: async (id) => (await server.app.inject({ url: `${url}/${id}`, headers })).json(),
    async start(form) {
      const answer = await optimize(server, user, { ...form, wait: false })
      if (answer.statusCode !== 200) throw new Error(`a run was refused: ${answer.body}`)
      return answer.json<{ run_id: number }>().run_id
    },
    act: (id, action) => post(server, `${url}/${id}/${action}`, undefined, headers),
    remove: (id) => server.app.inject({ method: 'DELETE', url: id === undefined ? url : `${url}/${id}`, headers }),
  }
}
