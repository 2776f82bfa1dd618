import type { TaskRegistry } from './task.ts'

/**
 * Every task that compute threads know. A task's name is `area/what`, its module lies in that area's folder, or in
 * `http/` where it reads a file in the form of the contract.
 */
export const tasks = {
  'market-data/read-page': () => import('../market-data/custom-providers/read-page-task.ts'),
  'market-data/read-csv': () => import('../market-data/csv/read-csv-task.ts'),
  'market-data/quality': () => import('../market-data/stores/quality-task.ts'),
  'market-data/transform': () => import('../market-data/browse/transform-task.ts'),
  'market-data/sample': () => import('../market-data/sample-task.ts'),
  'backtests/run': () => import('../backtests/run-task.ts'),
  'backtests/verify-passport': () => import('../backtests/passport/verify-task.ts'),
  'backtests/read-passport': () => import('../http/backtests/read-passport-task.ts'),
  'backtests/pack-rows': () => import('../backtests/passport/pack-task.ts'),
  'backtests/shared-picture': () => import('../backtests/shared-picture/picture-task.ts'),
  'backtests/robustness-prepare': () => import('../backtests/robustness/prepare-task.ts'),
  'backtests/robustness-unpack': () => import('../backtests/robustness/unpack-task.ts'),
  'backtests/robustness-parts': () => import('../backtests/robustness/parts-task.ts'),
  'backtests/robustness-join': () => import('../backtests/robustness/join-task.ts'),
  'backtests/read-factor-file': () => import('../backtests/factors/read-factor-file-task.ts'),
  'backtests/regress': () => import('../backtests/factors/regress-task.ts'),
  'backtests/boost': () => import('../backtests/boost-task.ts'),
  'backtests/grow': () => import('../backtests/grow-task.ts'),
  'backtests/learn': () => import('../backtests/learn-task.ts'),
  'optimizer/prepare': () => import('../optimizer/prepare-task.ts'),
  'optimizer/evaluate': () => import('../optimizer/evaluate-task.ts'),
  'leading-indicators/find': () => import('../leading-indicators/find-task.ts'),
  'optimizer/report': () => import('../optimizer/report-task.ts'),
  'studies/evaluate': () => import('../studies/evaluate-task.ts'),
  'studies/report': () => import('../studies/report-task.ts'),
  'construction/run': () => import('../construction/construction-task.ts'),
  'construction/walk': () => import('../construction/walk-task.ts'),
  'live-trading/signal': () => import('../live-trading/signal-task.ts'),
  'live-trading/fixed-signals': () => import('../live-trading/fixed-signals-task.ts'),
  'live-trading/train': () => import('../live-trading/train-task.ts'),
  'live-trading/retrain': () => import('../live-trading/retrain-task.ts'),
  'live-trading/replay': () => import('../live-trading/replay-task.ts'),
  'live-trading/replay-month': () => import('../live-trading/replay-month-task.ts'),
  'live-trading/outcomes': () => import('../live-trading/outcomes-task.ts'),
  'live-trading/verify-record': () => import('../http/live-trading/verify-record-task.ts'),
  'portfolio/lots': () => import('../portfolio/lots-task.ts'),
} satisfies TaskRegistry
