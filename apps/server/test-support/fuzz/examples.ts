import { allocationForm, mlForm } from '../backtest-form.ts'
import { constructionForm } from '../constructions.ts'
import { optimizationForm } from '../optimization.ts'
import { studyForm } from '../studies.ts'
import { pagedDefinition } from '../stand-ins/custom-api.ts'

const period = { startDate: '2021-01-04', endDate: '2021-12-31' }
const ml = { ...mlForm, ...period, n_estimators: '3', walkForwardEnabled: 'false' }
const search = {
  ...optimizationForm,
  start_date: '2021-01-04',
  end_date: '2021-12-31',
  population_size: 2,
  n_estimators: 2,
}
const optimization = { ...search, generations: 1, related_assets: [], feature_configs: { '1': { window: [1] } } }
const config = { allocations: [{ ticker: 'SPY', allocation: 100 }], ...period, startValue: 10_000 }

const external = {
  allocations: [
    { name: 'risk-on', rows: [{ ticker: 'SPY', allocation: 100 }] },
    { name: 'out', rows: [] },
  ],
  initial: 'out',
  max_weight_pct: 50,
}
const byFile = {
  ...allocationForm,
  ...period,
  strategyType: 'External signal',
  external: JSON.stringify(external),
  signals: 'time,signal\n2021-03-01T15:00:00Z,risk-on\n2021-06-01T15:00:00Z,SPY=50',
}

/**
 * Bodies whose fields must fit each other, which chance would hardly find, and small enough to be computed at once. A
 * call without an entry is called with what its schema alone gives.
 */
/** A year of two factors. */
export const FACTORS = `,Mkt-RF,RF\n${Array.from({ length: 12 }, (_, i) => `2020${String(i + 1).padStart(2, '0')},1.5,0.1`).join('\n')}\n`

export const EXAMPLES: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  'POST /api/backtest': [{ ...allocationForm, ...period }, ml, byFile],
  'POST /api/backtest/check': [{ ...allocationForm, ...period }, ml, byFile],
  'POST /api/signals/:address': [
    { id: 'a', allocation: 'risk-on', secret: 'x', time: '2021-03-01T15:00:00Z' },
    { id: 'b', weights: { SPY: 50 } },
  ],
  'POST /api/records/verify': [{ file: '{"format":"tradewright-record","version":1}' }, { file: '{' }],
  'POST /api/feature-optimization': [{ ...optimization, wait: false }],
  'POST /api/feature-optimization/check': [optimization],
  'POST /api/parameter-studies': [studyForm],
  'POST /api/portfolio-constructions': [constructionForm],
  'PUT /api/user/formats': [{ numbers: 'point-comma', dates: 'iso', clock: '24', time_zone: 'Europe/Berlin' }],
  'POST /api/strategies': [
    { name: 'Fuzzed', strategy_type: 'Asset Allocation', config },
    { name: 'Fuzzed', strategy_type: 'External signal', config: { ...config, external } },
    { name: 'Fuzzed', strategy_type: 'ML', config: { ...config, mlModelType: 'Random Forest' } },
  ],
  'POST /api/data-stores': [
    { name: 'Fuzzed', store_type: 'local', connection_config: { path: 'fuzzed' } },
    {
      name: 'Fuzzed',
      store_type: 's3',
      connection_config: { bucket: 'b', region: 'r', endpoint: 'http://127.0.0.1:9' },
    },
    {
      name: 'Fuzzed',
      store_type: 'postgresql',
      connection_config: { host: '127.0.0.1', port: 9, database: 'd', username: 'u', password: 'p' },
    },
    { name: 'Fuzzed', store_type: 'mongodb', connection_config: { mongo_host: '127.0.0.1', mongo_database: 'd' } },
  ],
  'POST /api/data-collector/jobs': [
    {
      name: 'Fuzzed',
      provider_id: 'sample',
      tickers: ['SPY'],
      data_granularity: '1d',
      categories: ['close'],
      start_date: '2022-01-03',
      end_date: '2022-02-28',
    },
  ],
  'POST /api/data-collector/import': [
    { ticker: 'FUZZED', granularity: '1d', file: 'date,close\n2024-01-02,100\n2024-01-03,101.5\n' },
    { ticker: 'FUZZED', columns: '{"Close":"close"}', file: 'Date,Close\n2024-01-02,"10"5\n' },
    { ticker: 'FUZZED', file: '\ufeffdate;close\r\n2024-01-02;"1' },
    { ticker: 'FUZZED', file: '\0\0\0' },
  ],
  'POST /api/factor-files': [
    {
      name: 'Fuzzed',
      file: FACTORS,
    },
    { file: ',A\n20200102,1' },
  ],
  'POST /api/backtests/:id/factors': [{ series: [{ symbol: 'SPY', kind: 'return' }] }],
  'POST /api/passports/verify': [
    { file: '{"format":"tradewright-passport","version":1}' },
    { file: '{"format":"tradewright-passport","version":2}' },
    { file: '{"format"' },
  ],
  'POST /api/data-collector/providers/try': [{ definition: pagedDefinition('http://127.0.0.1:9'), ticker: 'AAPL' }],
  'POST /api/data-collector/providers': [{ definition: pagedDefinition('http://127.0.0.1:9'), ticker: 'AAPL' }],
}
