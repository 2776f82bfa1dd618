import type { Clock } from '@tradewright/core/clock'
import { Decimal } from '@tradewright/core/decimal'
import type { OrderLimits } from '@tradewright/engine/live/order-limits'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { smtpMailer } from '../adapters/smtp/mailer.ts'
import type { DeploymentsOnAccount } from '../brokerage/ports.ts'
import { inConnectionLane } from '../connection-lane.ts'
import type { Config } from '../config.ts'
import type { DiskFloor } from '../disk-floor.ts'
import type { Foundation } from '../foundation.ts'
import type { Handle } from '../http/server/handle.ts'
import { runnableOf } from '../http/backtests/form.ts'
import { serveRecords } from '../http/live-trading/record-routes.ts'
import { serveLiveTradingWatch } from '../http/live-trading/watch-routes.ts'
import { serveLiveTrading } from '../http/live-trading/routes.ts'
import { StrategyRecords } from '../forward-records/strategy-records.ts'
import { unwatched } from '../live-trading/cycle/order-steps.ts'
import { LiveRunner } from '../live-trading/cycle/runner.ts'
import { createDeploymentLog } from '../live-trading/deployment-log.ts'
import type { LiveDeps } from '../live-trading/deps.ts'
import { createSignalService } from '../live-trading/signals/signal-service.ts'
import { endOfDay } from '../live-trading/end-of-day/end-of-day.ts'
import { type Deliver, Outbox } from '../live-trading/notifications/outbox.ts'
import { AddressRefused, mailOf, Notifications, unconfirmed } from '../live-trading/notifications/notifications.ts'
import { shareAnswers } from '../live-trading/signals/shared-answers.ts'
import { readsSymbol, type TradedBy } from '../live-trading/traded-tickers.ts'
import type { Logger } from '../log.ts'
import { createLiveDatabase } from '../stores/live-trading/live-database.ts'
import { emergencyFiles } from '../stores/live-trading/emergency-files.ts'
import { ModelCache } from '../live-trading/cycle/propose/model-cache.ts'
import { createStrategyStore } from '../stores/strategies/strategies.ts'
import type { DeploymentsOfStrategy } from '../strategies/own-strategies.ts'
import type { Heartbeats } from '../alerts/heartbeat.ts'
import { mailLimit, resendLimit, testLimit } from '../alerts/own-alerts.ts'
import { usernameKey } from '../auth/username-key.ts'
import { createMailRecipientStore } from '../stores/auth/mail-recipients.ts'
import { createAttemptCounters } from '../stores/auth/attempt-counters.ts'
import { openAlerts } from './alerts.ts'
import type { BrokerageArea } from './brokerage.ts'
import type { MarketDataArea } from './market-data.ts'
import type { Services } from './services.ts'

/** Deployments as the other areas know them, in the web process and in every worker. */
export interface LiveTradingArea {
  readonly deps: LiveDeps
  readonly runner: LiveRunner
  readonly outbox: Outbox
  readonly heartbeats: Heartbeats
  readonly strategyRecords: StrategyRecords
  deploymentsOn: DeploymentsOnAccount
  deploymentsOf: DeploymentsOfStrategy
  runningDeployments(userId: number): Promise<readonly string[]>
  readonly tradedBy: TradedBy
  serve(handle: Handle): void
  /** Runs deployments; of all processes that do, one runs each. `alone`, if no other process can. */
  start(options: { alone: boolean }): Promise<void>
  close(): Promise<void>
}

interface Needs {
  readonly marketData: MarketDataArea
  readonly brokerage: BrokerageArea
  readonly compute: Services['compute']
  readonly disk: DiskFloor
  readonly clock: Clock
  readonly log: Logger
}

export function openLiveTrading(
  config: Config,
  foundation: Pick<Foundation, 'database' | 'pool' | 'seal'>,
  { marketData, brokerage, compute, disk, clock, log }: Needs,
): LiveTradingArea {
  const { dataDir, smtpUrl, mailFrom, paperOnly, orderLimits } = config
  const { database } = foundation
  const stores = createLiveDatabase(database)
  const mailer = smtpMailer({ url: smtpUrl, from: mailFrom })
  const notifications = new Notifications({ messages: stores.messages, mailer, clock, log })
  const { messages } = stores
  const counters = createAttemptCounters(database)
  const countTest = testLimit({ counters, clock })
  const countResend = resendLimit({ counters, clock })
  const recipients = createMailRecipientStore(database)
  const countMail = mailLimit({ counters, clock })
  const { alerts, heartbeats, ...alerting } = openAlerts(config, foundation, {
    mailer,
    messages,
    clock,
    log,
    countTest,
    countResend,
    isDiskLow: () => disk.isLow,
  })
  disk.tellWith(alerting.tellDisk)
  const save = async () => {
    await notifications.save()
    await alerts.save()
  }
  const deliver: Deliver = async (message) => {
    if (message.alert) return alerting.deliver(message)
    const isConfirmed = await recipients.isConfirmed({ messageId: message.id }, usernameKey(message.to))
    if (!isConfirmed) throw new AddressRefused(unconfirmed(message.to))
    await countMail(message.to)
    return mailer.send(mailOf(message))
  }
  const forgetOld = async () => {
    const { checkHistoryMs } = config
    if (checkHistoryMs !== undefined) await stores.journal.forget(new Date(clock.now().getTime() - checkHistoryMs))
  }
  const outbox = new Outbox({ messages, deliver, clock, log, save, forgetOld })
  const { providersOf } = marketData
  const signalService = createSignalService({ source: shareAnswers(marketData.seriesFor), compute, providersOf })
  const closing = new AbortController()
  const deps: LiveDeps = {
    database: stores,
    brokerFor: brokerage.brokerFor,
    accounts: brokerage.accounts,
    strategies: createStrategyStore(database),
    readStrategy: runnableOf,
    signalService,
    clock,
    log,
    modelCache: new ModelCache(),
    deploymentLog: createDeploymentLog(stores.journal, clock, log),
    gate: emergencyFiles(dataDir),
    limits: limitsOf(orderLimits),
    isPaperOnly: paperOnly,
    notify: notifications.notify,
    putMail: notifications.put,
    alert: alerts.raise,
    holder: randomUUID(),
    onStep: unwatched,
    signal: closing.signal,
  }
  const strategyRecords = new StrategyRecords(deps)
  const runner = new LiveRunner(deps, { daily: endOfDay(deps, signalService), watch: brokerage.watch })
  const active = async (userId: number) =>
    (await stores.deployments.list(userId)).filter(({ status }) => status !== 'stopped')
  return {
    deps,
    runner,
    outbox,
    heartbeats,
    strategyRecords,
    deploymentsOn: async (userId, accountId) =>
      (await active(userId)).filter((one) => one.accountId === accountId).map(({ name }) => name),
    deploymentsOf: async (userId, strategyId) =>
      (await active(userId)).filter((one) => one.strategyId === strategyId).map(({ name }) => name),
    runningDeployments: async (userId) =>
      (await active(userId)).filter(({ status }) => status !== 'created').map(({ name }) => name),
    async tradedBy(userId, ticker) {
      const symbol = ticker.trim().toUpperCase()
      const readers = (await active(userId)).filter((one) => readsSymbol(one, symbol))
      return [...new Set(readers.map(({ isPaper }) => (isPaper ? ('paper' as const) : ('live' as const))))]
    },
    serve(handle) {
      serveLiveTrading(handle, deps)
      const known = {
        knownBroker: (accountId: number) => runner.knownBroker(accountId),
        knownDeployments: (userId: number) => runner.knownDeployments(userId),
      }
      serveLiveTradingWatch(
        handle,
        { ...deps, ...known },
        {
          mailer,
          countTest,
          recipients,
          counters,
          appUrl: config.appUrl,
        },
      )
      alerting.serve(handle)
      serveRecords(handle, { ...deps, counters, compute, uploadFolder: join(dataDir, 'uploads') })
    },
    async start({ alone }) {
      if (alone) await stores.leases.expireAll()
      inConnectionLane('trading', () => {
        runner.start()
        outbox.start()
        heartbeats.start()
        strategyRecords.start()
      })
    },
    async close() {
      closing.abort(new Error('the program is stopping'))
      await strategyRecords.close()
      await runner.close()
      await save()
      await outbox.close()
      await heartbeats.close()
      mailer.close()
    },
  }
}

const dollars = (amount: number | undefined) => (amount === undefined ? undefined : Decimal.fromNumber(amount))

const limitsOf = (settings: Config['orderLimits']): OrderLimits => ({
  maxOrderValue: dollars(settings.orderUsd),
  maxDailyValue: dollars(settings.dailyTradedUsd),
  maxDailyOrders: settings.dailyOrders,
  maxDailyTurnoverPct: settings.dailyTurnoverPct,
  maxDailyLossPct: settings.dailyLossPct,
})
