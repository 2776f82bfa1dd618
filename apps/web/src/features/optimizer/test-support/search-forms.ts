/** A search of a second or two on the sample market. */
export const SMALL_RUN = {
  target_asset: 'SPY',
  related_assets: ['TLT', 'GLD', 'QQQ', 'EFA'],
  feature_types: [1, 7],
  feature_configs: { '1': { window: [1, 5] }, '7': { window: [7, 14] } },
  target_id: 1,
  start_date: '2023-01-03',
  end_date: '2024-12-31',
  population_size: 8,
  generations: 2,
  max_features: 3,
  n_estimators: 10,
  data_provider: 'sample',
}

/** Longer than any story, with generations that come soon: it is there to be watched and cancelled. */
export const LONG_RUN = {
  ...SMALL_RUN,
  // So many candidates that the search does not come to an end by meeting only what it knows.
  feature_configs: { '1': { window: [1, 2, 3, 4, 5, 6, 8, 10] }, '7': { window: [5, 6, 7, 8, 9, 10, 12, 14] } },
  max_features: 8,
  population_size: 30,
  generations: 200,
  n_estimators: 60,
  walk_forward_enabled: true,
  wf_step_size_pct: 5,
}
