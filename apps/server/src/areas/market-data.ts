import type { Clock } from '@tradewright/core/clock'
import { HOUR, SECOND } from '@tradewright/core/time'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { FastifyInstance } from 'fastify'
import { join } from 'node:path'
import type { MarketDataProvider } from '@tradewright/engine/market/provider'
import { dryRun } from '../adapters/custom-provider/dry-run.ts'
import { pageReader, customProvider } from '../adapters/custom-provider/provider.ts'
import { addressGuard, guardedTransport } from '../adapters/http/address-guard.ts'
import { type HttpSurroundings, systemHttp } from '../adapters/http/http-client.ts'
import { rememberReachability } from '../adapters/http/reachability.ts'
import { builtInProviders } from '../adapters/market-data/built-in-providers.ts'
import { sampleOnThreads } from '../adapters/sample/provider.ts'
import { secTickerSource } from '../adapters/sec/tickers.ts'
import type { UserFiles } from '../auth/ports.ts'
import type { Config } from '../config.ts'
import type { DiskFloor } from '../disk-floor.ts'
import type { Foundation } from '../foundation.ts'
import { serveCollectedData } from '../http/data-collector/collected-data.ts'
import { serveCsvImport } from '../http/data-collector/csv-import.ts'
import { serveCustomProviders } from '../http/data-collector/custom-providers.ts'
import { serveDataExport } from '../http/data-collector/export.ts'
import { serveDataCollector } from '../http/data-collector/routes.ts'
import { serveDataStores } from '../http/data-collector/data-stores.ts'
import type { Downloads } from '../http/server/downloads.ts'
import type { Authenticate, Handle } from '../http/server/handle.ts'
import { serveTickers } from '../http/tickers/routes.ts'
import type { AnyJobKind } from '../jobs/job.ts'
import type { Logger } from '../log.ts'
import { AskedSeries } from '../market-data/collect/fetch-missing.ts'
import {
  countUnreadableProviders,
  customProvidersOf,
  type OpenDefinition,
  type TryDefinition,
} from '../market-data/custom-providers/custom-providers.ts'
import { collectionJobKind } from '../market-data/jobs/run-job.ts'
import { addSystemJob, type JobDeps } from '../market-data/jobs/save-job.ts'
import { startDueJobs } from '../market-data/jobs/scheduler.ts'
import type { ProvidersOf } from '../market-data/providers.ts'
import { createSeriesFor, type SeriesFor } from '../market-data/series-for.ts'
import {
  connectionOf,
  createOpenStores,
  userFiles,
  purgeHistory,
  type StoreQualityDeps,
} from '../market-data/stores/change-stores.ts'
import type { OpenStores } from '../market-data/stores/data-store.ts'
import { createAccountRows } from '../stores/brokerage/brokerage-accounts.ts'
import { createCallAllowances } from '../stores/call-allowances.ts'
import {
  createCollectionJobStore,
  createDueJobs,
  createCollectionRunStore,
} from '../stores/market-data/collection-jobs.ts'
import { createCustomProviderStore } from '../stores/market-data/custom-providers.ts'
import { createDataStoreRows, createCoverageStore } from '../stores/market-data/data-stores.ts'
import { createSavedQueryStore } from '../stores/market-data/saved-queries.ts'
import { storesWithHistoryBefore } from '../stores/series/catalogue/open-catalogue.ts'
import { type StoreAccess, storeLimits } from '../stores/series/store-access.ts'
import { storeConnector } from '../stores/series/store-connector.ts'
import type { TransformInput } from '../market-data/browse/transform-task.ts'
import type { QualityInput } from '../market-data/stores/quality-task.ts'
import { askAboutTickers, storedSeriesOf } from '../tickers/look-up.ts'
import type { ComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'
import { describeApiFor } from './assistant-model.ts'
import type { TradedBy } from '../live-trading/traded-tickers.ts'
import type { JobsArea } from './jobs.ts'
import { alpacaDataProvider } from '../adapters/alpaca-data/provider.ts'
import { readableKeys } from '../brokerage/account-keys.ts'
import type { AccountRows } from '../brokerage/ports.ts'
import type { Seal } from '../secrets/seal.ts'

/** Market data as the other areas use it, in the web process and in every worker. */
export interface MarketDataArea {
  seriesFor: SeriesFor
  stores: OpenStores
  inspect: StoreQualityDeps['inspect']
  providersOf: ProvidersOf
  /** For the parts that create collection jobs. */
  collectionJobs: JobDeps
  jobKinds: readonly AnyJobKind[]
  userFiles: UserFiles
  /**
   * Does what a first backtest would wait for: opens the user's store, finds out whether providers can be reached, and where
   * they cannot, computes the sample market. What fails here fails again, and is told, in the backtest.
   */
  prepareFirstBacktest(userId: number): void
  /** `tradedBy`: whose money running deployments trade that read a ticker. */
  serve(handle: Handle, jobs: JobsArea, tradedBy: TradedBy): void
  serveExport(app: FastifyInstance, authenticate: Authenticate, downloads: Downloads): void
  /** Starts collection jobs when their time has come; any number of processes may do so. */
  keepSchedules(jobs: JobsArea): void
  close(): Promise<void>
}

const POLL_INTERVAL_MS = 10 * SECOND
const PURGE_INTERVAL_MS = HOUR

type Compute = Pick<ComputePool<typeof tasks>, 'run'>

interface Needs extends Pick<Foundation, 'database' | 'pool' | 'seal'> {
  readonly compute: Compute
  readonly disk?: Pick<DiskFloor, 'assertRoomFor'>
}

type ConnectorNeeds = Pick<Foundation, 'database' | 'pool'> & Pick<Needs, 'disk'>

function connectorOf(config: Config, { database, pool, disk }: ConnectorNeeds, clock: Clock) {
  const { dataDir, computeThreads: threads, diskLimitBytesPerUser, history, seriesBucket } = config
  const access = storeAccessOf(config)
  const systemBucket = seriesBucket && { config: seriesBucket, access: operatorsAccess }
  const own = { dataDir, threads, clock, pool, database, diskLimitBytesPerUser, history, access, systemBucket }
  return storeConnector({ ...own, ...(disk && { disk }) })
}

/** For commands, which have no more of this area. */
export const userFilesOf = (config: Config, needs: ConnectorNeeds, clock: Clock, log: Logger): UserFiles =>
  userFiles({ rows: createDataStoreRows(needs.database), connector: connectorOf(config, needs, clock), log })

export function openMarketData(
  config: Config,
  { database, pool, seal, compute, disk }: Needs,
  clock: Clock,
  log: Logger,
): MarketDataArea {
  const now = () => clock.now().getTime()
  const anyHost = systemHttp(log, createCallAllowances(pool))
  const reachability = rememberReachability(now)
  const http = { ...anyHost, reachability }
  const askAgain = () => reachability.forget()
  const { history } = config
  const connector = connectorOf(config, { database, pool, ...(disk && { disk }) }, clock)
  const jobs = createCollectionJobStore(database)
  const rows = createDataStoreRows(database, (store) => addSystemJob({ jobs, clock }, store))
  const stores = createOpenStores(rows, (store) => connector.open(store, connectionOf({ seal }, store)))
  const sample = sampleOf(clock, compute)
  const builtIn = [...builtInProviders(config, http), ...(config.sampleData ? [sample] : [])]
  const custom = customProviderParts(config, anyHost, compute)
  const ownProviders = { ...custom, customProviders: createCustomProviderStore(database), seal }
  const alpacaOf = alpacaProvidersOf({
    baseUrl: config.services.alpacaData,
    accounts: createAccountRows(database),
    seal,
    http,
  })
  const providersOf: ProvidersOf = async (userId) => {
    const [alpaca, own] = await Promise.all([alpacaOf(userId), customProvidersOf(ownProviders, userId)])
    return [...builtIn, ...alpaca, ...own]
  }
  const coverage = createCoverageStore(database)
  const runs = createCollectionRunStore(database)
  const sec = secTickerSource(config.services.sec, http)
  const transform = (input: TransformInput, owner: string) => compute.run('market-data/transform', input, { owner })
  const inspect = (input: QualityInput, owner: string) => compute.run('market-data/quality', input, { owner })
  const common = { stores, providersOf, coverage, clock, now, jobs, runs, storeRows: rows, askAgain }
  const describeApi = describeApiFor(config, { database, seal }, clock, anyHost)
  const purge = () =>
    purgeHistory({
      stores,
      clock,
      keepMs: history.keepMs,
      storesWithHistoryBefore: (at) => storesWithHistoryBefore(database, at),
      failed: (error, storeId) => log.warn({ err: error, storeId }, 'history: will try again'),
    }).catch((error: unknown) => log.warn({ err: error }, 'history: will try again'))
  const timers: NodeJS.Timeout[] = []
  return {
    stores,
    inspect,
    providersOf,
    collectionJobs: common,
    seriesFor: createSeriesFor({ ...common, asked: new AskedSeries(now) }),
    jobKinds: [collectionJobKind(common)],
    userFiles: userFiles({ rows, connector, log }),
    prepareFirstBacktest(userId) {
      const { yahoo, fred, fredCsv } = config.services
      const prices = new URL(yahoo)
      const probed = reachability.probe([prices, new URL(config.fredApiKey ? fred : fredCsv)])
      void probed.then(() => (config.sampleData && reachability.isSilent(prices) ? sample.prepare() : undefined))
      Promise.all([stores.defaultOf(userId), connector.prepare()]).catch((error: unknown) =>
        log.debug({ err: error, userId }, 'a first backtest could not be prepared'),
      )
    },
    serve(handle, { jobs: queue, watch, counted }, tradedBy) {
      const jobsUsing = (userId: number, storeId: number) => jobs.namesUsingStore(userId, storeId)
      serveDataStores(handle, { ...common, inspect, rows, connector, seal, jobsUsing })
      serveDataCollector(handle, {
        ...common,
        queue,
        watch,
        describeApi,
        countUnreadableProviders: (userId) => countUnreadableProviders(ownProviders, userId),
      })
      serveCustomProviders(handle, {
        ...ownProviders,
        takenIds: new Set([...builtIn.map(({ id }) => id), ...OWN_PROVIDER_IDS]),
        jobsUsingProvider: (userId, id) => jobs.namesUsingProvider(userId, id),
      })
      const secTickers = (limit: number, userEmail: string) =>
        sec.first(limit, config.secContact ?? userEmail, AbortSignal.timeout(30 * SECOND))
      serveCollectedData(handle, { stores, transform, queries: createSavedQueryStore(database), secTickers })
      serveTickers(handle, {
        stored: storedSeriesOf(stores, now),
        // In the operator's name only: a user who types a ticker has not agreed to be named to the SEC.
        secCompanies: () => sec.known(config.secContact),
        providersOf,
        ask: askAboutTickers(now),
      })
      serveCsvImport(handle, {
        ...common,
        counted,
        tradedBy,
        uploadFolder: join(config.dataDir, 'uploads'),
        readCsv: (file, options) => compute.run('market-data/read-csv', file, options),
      })
    },
    serveExport(app, authenticate, downloads) {
      const { writeRecordFile } = connector
      const deps = { stores, writeRecordFile, exportFolder: join(config.dataDir, 'exports') }
      serveDataExport(app, authenticate, deps, downloads)
    },
    keepSchedules(queue) {
      const due = createDueJobs(database, (transaction) => queue.jobsWithin(transaction))
      const poll = () =>
        startDueJobs(due, clock).catch((error: unknown) => log.warn({ err: error }, 'schedules: will try again'))
      timers.push(
        setInterval(() => void poll(), POLL_INTERVAL_MS),
        setInterval(() => void purge(), PURGE_INTERVAL_MS),
      )
      for (const timer of timers) timer.unref()
      void poll()
      void purge()
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await stores.close()
      await connector.close()
    },
  }
}

/** Names that no custom provider may take: rows of other origins are kept under them, or they come with a user's keys. */
const OWN_PROVIDER_IDS = ['csv', 'transform', 'auto', 'alpaca', SAMPLE_PROVIDER_ID]

const sampleOf = (clock: Clock, compute: Compute) =>
  sampleOnThreads(clock, (input, signal) =>
    compute.run('market-data/sample', input, { owner: SAMPLE_PROVIDER_ID, signal }),
  )

/** Stores at addresses that users enter are reached through the guard only. */
const storeAccessOf = ({ allowPrivateStores, allowAmbientCredentials }: Config): StoreAccess => ({
  guard: addressGuard(allowPrivateStores ? { isAllowed: () => true } : {}),
  allowAmbientCredentials,
  limits: storeLimits,
})

/** The operator's own bucket may be anywhere, and use the credentials of the machine. */
const operatorsAccess: StoreAccess = {
  guard: addressGuard({ isAllowed: () => true }),
  allowAmbientCredentials: true,
  limits: storeLimits,
}

/** Addresses that a user has chosen are called through the guarded transport only. */
function customProviderParts({ allowPrivateProviders }: Config, http: HttpSurroundings, compute: Compute) {
  const transport = guardedTransport(allowPrivateProviders ? { isAllowed: () => true } : {})
  // Threads are shared by user, not by address: a user may have fifty of these.
  const partsOf = ({ userId }: { readonly userId: number }) => ({
    surroundings: { ...http, transport },
    readPage: pageReader((page, signal) =>
      compute.run('market-data/read-page', page, { owner: String(userId), signal }),
    ),
  })
  const openDefinition: OpenDefinition = (definition, holder) => customProvider(definition, holder, partsOf(holder))
  const tryDefinition: TryDefinition = (candidate, trial, signal) => dryRun(candidate, trial, partsOf(trial), signal)
  return { openDefinition, tryDefinition }
}

interface AlpacaProviderNeeds {
  readonly baseUrl: string
  readonly accounts: AccountRows
  readonly seal: Seal
  readonly http: HttpSurroundings
}

/** Alpaca's market data under the user's own keys: any of them do, so the default account's come first. */
const alpacaProvidersOf =
  ({ baseUrl, accounts, seal, http }: AlpacaProviderNeeds): ProvidersOf =>
  async (userId): Promise<MarketDataProvider[]> => {
    const known = await accounts.list(userId)
    const keys = known
      .filter(({ broker, status }) => broker === 'alpaca' && status === 'verified')
      .map((account) => readableKeys(seal, account))
      .find((readable) => readable !== undefined)
    return keys ? [alpacaDataProvider(baseUrl, keys, http)] : []
  }
