import type { Feature } from '@tradewright/contract/features'
import type { ChosenFeature, Judged, OptimizationResults } from '@tradewright/contract/optimization-results'
import type { GenerationEntry, OptimizationRun } from '@tradewright/contract/optimization-run'

/** A run as the server tells of it, for tests: two generations of a search on BTC-USD, with walk-forward. */
export function sampleRun(changes: Partial<OptimizationRun> = {}): OptimizationRun {
  return {
    id: 12,
    status: 'completed',
    paused: false,
    created_at: '2026-11-14T15:30:00Z',
    finished_at: '2026-11-14T15:30:12Z',
    client_run_id: null,
    target_asset: 'BTC-USD',
    related_assets: ['SPY', 'TLT', 'GLD', 'ETH-USD', 'QQQ'],
    feature_types: [5, 7],
    target_id: 2,
    date_range: { start_date: '2024-11-14', end_date: '2026-11-14' },
    ga_parameters: {
      population_size: 4,
      generations: 2,
      mutation_rate: 0.1,
      max_features: 10,
      evaluation_metric: 'accuracy',
    },
    ml_config: { model: 'Random Forest', train_size: 60, test_size: 40 },
    optimization_config: {
      targets: [sampleTarget],
      feature_configs: {
        '5': { ticker: ['BTC-USD', 'SPY'], window: [7, 14], lag: [0] },
        '7': { ticker: ['BTC-USD'], window: [20] },
      },
      n_estimators: 30,
      min_samples_leaf: 2,
      min_samples_split: 4,
      max_features_rf: 'log2',
      walk_forward_enabled: true,
      wf_train_window_pct: 40,
      wf_test_window_pct: 20,
      wf_step_size_pct: null,
      wf_fitness_mode: 'mean_minus_variance',
      variance_penalty: 0.4,
      variance_exponent: 2,
      early_stopping: true,
      es_patience: 5,
      es_min_improvement: 0.01,
      target_list_ids: [3],
      feature_list_ids: [],
      data_granularity: 'daily',
      window_sizes: [5, 10, 14, 20, 30],
      seed_features: [],
      hold_out_pct: 20,
      seed: 7,
      nested_walk_forward: false,
      nested_windows: 4,
      data_provider: 'auto',
      allow_mixed_prices: false,
      ended_ticker: 'stop',
      delisting_return_pct: 0,
      replacement_ticker: null,
    },
    trading_signals: { signal1_allocations: [{ ticker: 'BTC-USD', allocation: 100 }], signal0_allocations: [] },
    error_message: null,
    error_code: null,
    train_period: { start_date: '2024-11-14', end_date: '2025-09-01' },
    test_period: { start_date: '2025-09-02', end_date: '2026-06-30' },
    current_generation: 2,
    best_fitness: 0.5678,
    progress: null,
    synthetic: true,
    spliced_tickers: [],
    generation_history: [sampleGeneration(1), sampleGeneration(2)],
    results: sampleResults(),
    ...changes,
  }
}

const sampleTarget = {
  target_label: 'N-bar direction (BTC-USD, horizon 5)',
  target_asset: 'BTC-USD',
  target_id: 2,
  related_assets: ['SPY', 'TLT', 'GLD', 'ETH-USD', 'QQQ'],
  params: { ticker: 'BTC-USD', horizon: 5 },
}

const sampleFeatures: ChosenFeature[] = [
  {
    id: 5,
    type: 'rsi',
    name: 'RSI',
    label: 'RSI (SPY, window 14)',
    params: { ticker: 'SPY', window: 14, lag: 0 },
  },
  {
    id: 7,
    type: 'volatility',
    name: 'Rolling volatility',
    label: 'Rolling volatility (BTC-USD, window 20)',
    params: { ticker: 'BTC-USD', window: 20, field: 1 },
  },
]

export function sampleGeneration(generation: number): GenerationEntry {
  const best_fitness = 0.53 + 0.0189 * generation
  const individual = (rank: number) => ({
    rank,
    fitness: best_fitness - 0.01 * (rank - 1),
    target_label: sampleTarget.target_label,
    target_asset: 'BTC-USD',
    performance: { accuracy: 0.58, f1_score: 0.55, sharpe: 1.21, cagr: 0.4 },
    features: sampleFeatures,
    is_seed: rank === 2,
  })
  return {
    generation,
    best_fitness,
    avg_fitness: best_fitness - 0.03,
    best_features_count: 2,
    diversity: 0.6,
    population_details: [individual(1), individual(2)],
    population_size: 4,
    new_evaluations: 3,
  }
}

const judged = (value: number | null, verdict: Judged['verdict'], verdict_text: string, sentence: string): Judged => ({
  value,
  verdict,
  verdict_text,
  sentence,
})

function sampleResults(): OptimizationResults {
  const best_performance = {
    accuracy: 0.5812,
    f1_score: 0.5533,
    sharpe: 1.214,
    cagr: 0.4012,
    walk_forward: {
      window_count: 2,
      windows: [window(1, '2025-09-02', '2026-01-31', 0.61), window(2, '2026-02-01', '2026-06-30', 0.47)],
    },
  }
  return {
    best_features: sampleFeatures,
    best_fitness: 0.5678,
    best_performance,
    best_generation: 2,
    runtime_seconds: 11.8,
    total_evaluations: 7,
    best_target: sampleTarget,
    best_target_asset: 'BTC-USD',
    targets_considered: 1,
    stopped_at_generation: 2,
    stopped_early: true,
    early_stopping: { enabled: true, patience_generations: 5, min_improvement: 0.01 },
    seed_info: { used_seed: true, seed_features_count: 2, seed_fitness: 0.55, improvement_over_seed: 0.0178 },
    train_period: { start_date: '2024-11-14', end_date: '2025-09-01' },
    test_period: { start_date: '2025-09-02', end_date: '2026-06-30' },
    luck: {
      hold_out: {
        ...judged(
          0.518,
          'caution',
          'Weaker than in the search',
          'On data that no generation saw, it was right on 51.8% of days instead of 58.1%.',
        ),
        period: { start_date: '2026-07-01', end_date: '2026-11-14' },
        rows: 137,
        performance: { accuracy: 0.518, f1_score: 0.5, sharpe: 0.3, cagr: 0.05 },
        buy_and_hold: { sharpe: 0.8, cagr: 0.1 },
        in_search: 0.5812,
      },
      deflated_sharpe: {
        ...judged(0.42, 'bad', 'Likely luck', 'The best of 7 worthless trials would often look like this.'),
        trials: 7,
        sharpe: 1.214,
        active_sharpe: 0.2,
        lucky_sharpe: 1.3,
      },
      overfitting_probability: {
        ...judged(
          0.31,
          'caution',
          'Some overfitting',
          'In 31% of the splits the best trial was below average later on.',
        ),
        trials: 7,
      },
      feature_stability: {
        ...judged(0.75, 'good', 'Stable', 'The chosen features stayed for most of the search.'),
        features: sampleFeatures.map(({ label }, position) => ({
          label,
          generation_share: 1,
          population_share: 0.75,
          window_share: 0.5,
          importance: position === 0 ? 0.6 : 0.4,
        })),
      },
      summary: {
        verdict: 'caution',
        verdict_text: 'Probably mostly luck',
        sentence: 'The score drops on unseen data. Do not trade this without further tests.',
      },
    },
    buy_and_hold: {
      allocation: [{ ticker: 'BTC-USD', allocation: 100 }],
      performance: { sharpe: 1.4, cagr: 0.45 },
      test_curve: { dates: ['2025-09-02', '2026-06-30'], winner: [1, 1.2], buy_and_hold: [1, 1.3] },
      hold_out_curve: { dates: ['2026-07-01', '2026-11-14'], winner: [1, 1.05], buy_and_hold: [1, 1.1] },
    },
    nested_walk_forward: null,
    optimized_strategy: {
      name: 'Optimized Strategy - BTC-USD',
      type: 'ML',
      target_asset: 'BTC-USD',
      related_assets: ['SPY'],
      features: sampleFeatures,
      target_id: 2,
      target_config: { ticker: 'BTC-USD', horizon: 5 },
      start_date: '2024-11-14',
      end_date: '2026-11-14',
      dataGranularity: 'daily',
      data_granularity: 'daily',
      ml_model: 'Random Forest',
      train_size: 60,
      test_size: 40,
      ml_parameters: { n_estimators: 30, min_samples_leaf: 2, min_samples_split: 4, max_features: 'log2' },
      signal1_allocations: [{ ticker: 'BTC-USD', allocation: 100 }],
      signal0_allocations: [{ ticker: 'CASHX', allocation: 100 }],
      optimization_results: { best_fitness: 0.5678, best_performance, runtime_seconds: 11.8, total_evaluations: 7 },
    },
    candidate_features: 24,
    left_out_features: [],
    evaluations_per_second: 0.6,
    risk_free: 'TBILLX',
    data_sources: {
      requested: { start: '2024-11-14', end: '2026-11-14', granularity: 'daily' },
      combined: { start: '2024-11-14', end: '2026-11-14', rows: 731 },
      providers: [],
    },
    actual_period: null,
    limiting_ticker: null,
    series_sources: [],
    synthetic: true,
    synthetic_tickers: ['SPY'],
    data_problems: [],
    spliced_tickers: [],
    data_fingerprint: 'f1e2d3c4b5a697887766554433221100',
    notes: ['Prices are synthetic sample data.'],
  }
}

function window(window_num: number, test_start: string, test_end: string, accuracy: number) {
  const buy_and_hold = { sharpe: 0.9, cagr: 0.12 }
  return { window_num, test_start, test_end, test_rows: 150, accuracy, cagr: accuracy - 0.5, sharpe: 0.8, buy_and_hold }
}

/** A feature with a ticker and parameters of these names, each 1 by default. */
export function sampleFeature(id: number, ...names: string[]): Feature {
  const parameter = (name: string) => ({
    name,
    label: name,
    type: name === 'ticker' ? ('string' as const) : ('int' as const),
    default: name === 'ticker' ? 'SPY' : 1,
    readonly: false,
    required: false,
    options: null,
    step: null,
    min: null,
    max: null,
    description: '',
  })
  const params_def = ['ticker', ...names].map(parameter)
  return { id, key: `feature_${id}`, name: `Feature ${id}`, description: '', source: '', config: { params_def } }
}
