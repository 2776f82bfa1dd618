import { type BrokerId, brokerIds } from '@tradewright/core/broker-catalogue'
import type { Clock } from '@tradewright/core/clock'
import { MINUTE } from '@tradewright/core/time'
import type { FastifyInstance } from 'fastify'
import { setTimeout as wait } from 'node:timers/promises'
import { systemHttp } from '../adapters/http/http-client.ts'
import type { BrokerageAccount } from '../brokerage/account.ts'
import type { Brokers } from '../brokerage/broker-definition.ts'
import { createBrokerFor } from '../brokerage/broker-for.ts'
import type { AccountDeps } from '../brokerage/own-accounts.ts'
import { lastStoredPrices } from '../brokerage/paper/last-stored-prices.ts'
import { marketPrices } from '../brokerage/paper/market-prices.ts'
import { PAPER_CASH } from '../brokerage/paper/paper-broker.ts'
import type {
  AccountKeys,
  AccountRows,
  BrokerFor,
  CheckKeysAt,
  DeploymentsOnAccount,
  KeyCheck,
} from '../brokerage/ports.ts'
import { recheckUnverified } from '../brokerage/verification.ts'
import type { Config } from '../config.ts'
import type { Foundation } from '../foundation.ts'
import { serveBrokerageAccounts } from '../http/brokerage/routes.ts'
import type { Authenticate, Handle } from '../http/server/handle.ts'
import { servePortfolioExport } from '../http/portfolio/export.ts'
import type { Downloads } from '../http/server/downloads.ts'
import { servePortfolio } from '../http/portfolio/routes.ts'
import { turnsPerUser } from '../turn-queue.ts'
import { createComputeLots } from '../portfolio/tax-lots.ts'
import type { ComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'
import type { WatchAccount } from '../live-trading/cycle/watched-accounts.ts'
import type { Logger } from '../log.ts'
import type { SeriesFor } from '../market-data/series-for.ts'
import type { OpenStores } from '../market-data/stores/data-store.ts'
import { createBenchmarks, createClosingPrices } from '../portfolio/benchmarks.ts'
import type { PortfolioDeps } from '../portfolio/own-portfolio.ts'
import { PortfolioRefresher } from '../portfolio/refresher.ts'
import { createCallAllowances } from '../stores/call-allowances.ts'
import { createAccountRows, lockAccountsOf } from '../stores/brokerage/brokerage-accounts.ts'
import type { Database } from '../stores/database.ts'
import { createExportRows, createPortfolioStore } from '../stores/portfolio/portfolio.ts'
import { createPaperStore } from '../stores/brokerage/paper-accounts.ts'
import { openBrokers } from './brokers.ts'

/** Brokerage accounts as the other areas use them, in the web process and in every worker. */
export interface BrokerageArea {
  accounts: AccountRows
  brokerFor: BrokerFor
  /** Signals that something happened in an account, where its broker tells. */
  watch: WatchAccount
  portfolio: PortfolioDeps
  serve(handle: Handle, deploymentsOn: DeploymentsOnAccount): void
  /** Files of an account, which a browser downloads by a link. */
  serveExport(app: FastifyInstance, authenticate: Authenticate, downloads: Downloads): void
  /** Asks again about keys that could not be checked yet; any number of processes may do so. */
  keepVerifying(): void
  close(): Promise<void>
}

const VERIFY_INTERVAL_MS = MINUTE
/** Older activities take at most half of the calls an account has in a minute. */
const PAUSE_BETWEEN_PAGES = 600
/** Requests of a user for lots, statements and their files, beside the one that is computed. */
const MAX_LOTS_WAITING = 4

type Needs = Pick<Foundation, 'database' | 'pool' | 'seal'> & {
  readonly compute: Pick<ComputePool<typeof tasks>, 'run'>
}

export function openBrokerage(
  { services, paperOnly }: Pick<Config, 'services' | 'paperOnly'>,
  { database, pool, seal, compute }: Needs,
  { seriesFor, stores, clock, log }: { seriesFor: SeriesFor; stores: OpenStores; clock: Clock; log: Logger },
): BrokerageArea {
  const addresses = { paper: services.alpacaPaper, live: services.alpacaLive }
  const http = systemHttp(log, createCallAllowances(pool))
  const closing = new AbortController()
  const rows = createAccountRows(database)
  const paper = { store: createPaperStore(database), prices: marketPrices(seriesFor, lastStoredPrices(stores)), clock }
  const { alpacaData, exchanges: exchangeUrls } = services
  const brokers = openBrokers({
    alpaca: addresses,
    alpacaData,
    exchangeUrls,
    http,
    paper,
    seal,
    signal: closing.signal,
  })
  const checkKeys: CheckKeysAt = (broker, keys, isPaper) => checkAt(brokers, broker, keys, isPaper)
  const customHostOf = (account: BrokerageAccount) => brokers[account.broker].customHost?.(account) ?? null
  const open = (account: BrokerageAccount) => brokers[account.broker].open(account)
  const brokerFor = createBrokerFor({ rows, open, isPaperOnly: paperOnly })
  const store = createPortfolioStore(database)
  const onFailure = (error: unknown, message: string) => {
    if (!closing.signal.aborted) log.warn({ err: error }, message)
  }
  const refresher = new PortfolioRefresher({
    brokerFor,
    accounts: rows,
    store,
    now: () => clock.now(),
    pause: () => wait(PAUSE_BETWEEN_PAGES, undefined, { signal: closing.signal, ref: false }),
    onFailure,
  })
  const benchmarks = createBenchmarks({ seriesFor, now: () => clock.now().getTime(), onFailure })
  const portfolio = { accounts: rows, store, refresher, benchmarks, clock }
  const computeLots = createComputeLots({
    run: (input, owner) => compute.run('portfolio/lots', input, { owner }),
    turns: turnsPerUser(MAX_LOTS_WAITING),
  })
  let timer: NodeJS.Timeout | undefined
  return {
    accounts: rows,
    brokerFor,
    watch: (userId, accountId, onNews) => watchAt(brokers, () => rows.find(userId, accountId), onNews),
    portfolio,
    serve(handle, deploymentsOn) {
      const openPaperAccount = openPaperAccountIn(database)
      const paper = createPaperStore(database)
      const accounts = { rows, checkKeys, deploymentsOn, openPaperAccount, paper, seal, clock }
      serveBrokerageAccounts(handle, { ...accounts, customHostOf })
      const closingPrices = createClosingPrices(seriesFor, onFailure)
      servePortfolio(handle, { ...portfolio, computeLots, customHostOf, closingPrices })
    },
    serveExport: (app, authenticate, downloads) =>
      servePortfolioExport(
        app,
        authenticate,
        { ...portfolio, computeLots, rows: createExportRows(database) },
        downloads,
      ),
    keepVerifying() {
      const verify = () =>
        recheckUnverified({ rows, checkKeys, seal, clock }).catch((error: unknown) =>
          log.warn({ err: error }, 'checking keys again failed: will try again'),
        )
      timer = setInterval(() => void verify(), VERIFY_INTERVAL_MS)
      timer.unref()
    },
    async close() {
      clearInterval(timer)
      closing.abort(new Error('the program is stopping'))
      await refresher.idle()
    },
  }
}

async function checkAt(brokers: Brokers, id: BrokerId, keys: AccountKeys, isPaper: boolean): Promise<KeyCheck> {
  const { checkKeys } = brokers[id]
  if (!checkKeys) throw new Error(`${id} has no keys to check`)
  return checkKeys(keys, isPaper)
}

/** Each broker that tells of news waits for the account to be one of its own. */
function watchAt(brokers: Brokers, find: () => Promise<BrokerageAccount | undefined>, onNews: () => void): () => void {
  const stops = brokerIds.flatMap((id) => {
    const findOwn = async () => {
      const account = await find()
      return account?.broker === id ? account : undefined
    }
    return brokers[id].watch?.(findOwn, onNews) ?? []
  })
  return () => stops.forEach((stop) => stop())
}

const openPaperAccountIn =
  (database: Database): AccountDeps['openPaperAccount'] =>
  (userId, account, settings, at) =>
    database.transaction().execute(async (transaction) => {
      await lockAccountsOf(transaction, userId)
      const rows = createAccountRows(transaction)
      const known = (await rows.list(userId)).find(({ broker }) => broker === account.broker)
      if (known) return known
      const opened = await rows.insert(userId, account, at)
      await createPaperStore(transaction).open(opened.id, PAPER_CASH, settings, at)
      return opened
    })
