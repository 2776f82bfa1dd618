import { receivesSignals } from '@tradewright/core/strategy-kinds'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '@tradewright/core/clock'
import type { SignalBounds } from '@tradewright/core/external-signal'
import { Problem } from '@tradewright/core/problem'
import { backtestJobKind } from '../backtests/backtest-job.ts'
import { boardPieceJobKind } from '../backtests/robustness/piece-job.ts'
import { robustnessJobKind } from '../backtests/robustness/robustness-job.ts'
import type { SavingTransaction } from '../backtests/ports.ts'
import type { Foundation } from '../foundation.ts'
import { servePassports } from '../http/backtests/passport.ts'
import { serveFactors } from '../http/backtests/factors.ts'
import { serveRobustness } from '../http/backtests/robustness.ts'
import { serveBacktests } from '../http/backtests/routes.ts'
import { serveResultLinks } from '../http/backtests/result-links.ts'
import { serveFeatures } from '../http/data-collector/features.ts'
import type { Handle } from '../http/server/handle.ts'
import { serveSignals } from '../http/strategies/signal-routes.ts'
import { runnableOf } from '../http/backtests/form.ts'
import { serveStrategies } from '../http/strategies/routes.ts'
import { receivedBy } from '../external-signals/own-signals.ts'
import type { AnyJobKind } from '../jobs/job.ts'
import type { ResultLinkDeps } from '../backtests/result-links.ts'
import { createAttemptCounters } from '../stores/auth/attempt-counters.ts'
import { createBacktestStore } from '../stores/backtests/backtests.ts'
import type { Database } from '../stores/database.ts'
import { createFactorFileStore } from '../stores/backtests/factor-files.ts'
import { createResultLinkStore } from '../stores/backtests/result-links.ts'
import { createSignalStore } from '../stores/external-signals/external-signals.ts'
import type { Strategy } from '../strategies/strategy.ts'
import { createBoardWorkStore } from '../stores/backtests/robustness-work.ts'
import { createStrategyStore } from '../stores/strategies/strategies.ts'
import type { LiveTradingArea } from './live-trading.ts'
import type { Services } from './services.ts'

type Needs = Pick<Foundation, 'database'>
type ServingNeeds = Pick<Foundation, 'database' | 'seal'>
interface PassportSettings {
  readonly uploadFolder: string
  readonly madeBy: { readonly program: string; readonly engine: string; readonly commit: string | null }
}
type ServedBy = Services & { readonly liveTrading: Pick<LiveTradingArea, 'deploymentsOf'> }

/** Strategies, features and backtests joined to their tables, the queue and the routes. */
export function serveBacktestArea(
  app: FastifyInstance,
  handle: Handle,
  { database, seal }: ServingNeeds,
  runtime: ServedBy,
  clock: Clock,
  passports: PassportSettings,
): ResultLinkDeps {
  const { jobs, watch } = runtime.jobs
  const stores = { strategies: createStrategyStore(database), backtests: createBacktestStore(database) }
  serveFeatures(handle)
  serveStrategies(handle, { ...stores, clock, deploymentsOf: runtime.liveTrading.deploymentsOf })
  const saving = savingIn(database)
  const signals = createSignalStore(database)
  const receivedSignals = receivedBy({ ...stores, signals, clock })
  const { providersOf } = runtime.marketData
  serveBacktests(handle, {
    ...stores,
    saving,
    readLargeForm: (sent, owner) => runtime.compute.run('backtests/read-form', sent, { owner }),
    jobs,
    watch,
    clock,
    providersOf,
    receivedSignals,
    source: runtime.marketData.seriesFor,
  })
  serveRobustness(handle, { ...stores, jobs })
  const { compute, marketData } = runtime
  const { counted } = runtime.jobs
  servePassports(handle, { ...stores, ...passports, source: marketData.seriesFor, compute, clock, counted })
  const factorFiles = createFactorFileStore(database)
  const { uploadFolder } = passports
  serveFactors(handle, { ...stores, factorFiles, source: marketData.seriesFor, compute, clock, counted, uploadFolder })
  const counters = createAttemptCounters(database)
  serveSignals(handle, { ...stores, signals, seal, counters, clock, boundsOf })
  const shared = { ...stores, links: createResultLinkStore(database), counters, clock }
  serveResultLinks(app, handle, { ...shared, compute, madeBy: passports.madeBy })
  return shared
}

function boundsOf(strategy: Strategy): SignalBounds {
  const { request } = runnableOf(strategy)
  if (receivesSignals(request.strategy)) return request.strategy
  throw new Problem('invalid', 'strategy.no-signals', 'Only a strategy of the type External signal accepts signals.')
}

/** Alone on its database a process computes itself; where workers may share it, the queue brings them their part. */
export function backtestJobs({ database }: Needs, runtime: Services, clock: Clock): AnyJobKind[] {
  const { compute, marketData, jobs, sharesDatabase } = runtime
  const deps = { source: marketData.seriesFor, compute, backtests: createBacktestStore(database), clock }
  const work = createBoardWorkStore(database)
  return [
    backtestJobKind({ ...deps, saving: savingIn(database) }),
    robustnessJobKind({ ...deps, shared: sharesDatabase ? { work, queue: jobs } : undefined }),
    boardPieceJobKind({ compute, work }),
  ]
}

const savingIn =
  (database: Database): SavingTransaction =>
  (work) =>
    database
      .transaction()
      .execute((transaction) =>
        work({ strategies: createStrategyStore(transaction), backtests: createBacktestStore(transaction) }),
      )
