import { ManualClock } from '@tradewright/core/clock'
import { Decimal } from '@tradewright/core/decimal'
import { dateOf, HOUR, MINUTE } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { freeOfCosts, type TradingCosts } from '@tradewright/engine/trading/costs'
import { accountTotal, type Books, emptyBooks, post } from '@tradewright/engine/trading/ledger/books'
import type { Leg } from '@tradewright/engine/trading/ledger/entry'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { BrokerageAccount } from '../../src/brokerage/account.ts'
import { createLog } from '../../src/log.ts'
import { controlDeployment } from '../../src/live-trading/control.ts'
import { deploy, type DeployForm } from '../../src/live-trading/deploy/deploy.ts'
import type { Deployment, DeploymentSettings } from '../../src/live-trading/deployment.ts'
import { createDeploymentLog } from '../../src/live-trading/deployment-log.ts'
import { unwatched, type OnStep } from '../../src/live-trading/cycle/order-steps.ts'
import { LiveRunner } from '../../src/live-trading/cycle/runner.ts'
import type { LiveDeps } from '../../src/live-trading/deps.ts'
import { Notifications } from '../../src/live-trading/notifications/notifications.ts'
import { createLiveDatabase } from '../../src/stores/live-trading/live-database.ts'
import { emergencyFiles } from '../../src/stores/live-trading/emergency-files.ts'
import { ModelCache } from '../../src/live-trading/cycle/propose/model-cache.ts'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'
import { createTestUser } from '../test-user.ts'
import type { StageMarket } from './alpaca-stage.ts'
import type { BrokerStage } from './broker-stage.ts'
import { FakeSignalService, strategyOf } from './fake-signal-service.ts'
import { FaultyBroker } from './faulty-broker.ts'

/** A Tuesday before the open. */
const MORNING = nyse.openOf(dateOf('2026-03-03')) - HOUR

/** By the clock of the database: on a busy machine minutes may pass between two beats. Tests end leases themselves. */
const LEASE_SECONDS = 3_600

let worlds = 0

export const settingsOf = (more: Partial<DeploymentSettings> = {}): DeploymentSettings => ({
  rebalanceThresholdPct: 0,
  rebalanceFrequency: 'daily',
  frequencyType: 'end_of_day',
  checkFrequencyMinutes: 60,
  minutesBeforeClose: 30,
  tradingDays: [],
  bypassMarketHours: false,
  tickerMapping: {},
  forgivenessPct: 0,
  notifications: {
    isEnabled: true,
    emails: ['ann@example.com'],
    events: { trades: true, errors: true, signals: false, daily_summary: false },
  },
  training: { mode: 'full_range', holdoutTrainPct: 70, start: null, end: null },
  dryRun: false,
  maxDailyLossPct: null,
  maxDrawdownPct: null,
  ...more,
})

export interface LiveWorld {
  database: TestDatabase
  deps: LiveDeps
  /** The broker's side: the simulation or a stand-in. */
  stage: BrokerStage
  /** The same, where it is the simulation behind the port. */
  readonly broker: FaultyBroker
  clock: ManualClock
  signalService: FakeSignalService
  quotes: Map<string, Decimal>
  userId: number
  accountId: number
  /** Deploys dollars of the account, started. */
  deployed(more?: Partial<DeployForm>): Promise<Deployment>
  /** Runs deployments on the world's own data folder. */
  runner(onStep?: OnStep): LiveRunner
  /** Another process on the same database, with a data folder of its own. */
  process(onStep?: OnStep): LiveProcess
  /** To the next decision of the day, half an hour before the close, or so long before it. */
  toDecision(before?: number): void
  close(): Promise<void>
}

export interface LiveProcess {
  readonly deps: LiveDeps
  readonly runner: LiveRunner
}

export interface WorldSettings {
  /** Worlds may share one: each has a user and an account of its own. It stays open then. */
  database?: TestDatabase
  cash?: string
  percentages?: Record<string, number>
  costs?: TradingCosts
  leverageLimit?: number
  now?: number
  /** Worlds whose accounts one process runs share it. */
  clock?: ManualClock
  /** The broker's side; a simulation behind the port where none is given. */
  stage?: (market: StageMarket) => Promise<BrokerStage>
}

export async function liveWorld(settings: WorldSettings = {}): Promise<LiveWorld> {
  const { cash = '100000', percentages = { SPY: 60, TLT: 40 }, costs = freeOfCosts, leverageLimit = 1 } = settings
  const database = settings.database ?? (await createTestDatabase())
  const accountId = ++worlds
  const userId = await createTestUser(database.database, `ann-${accountId}`)
  const clock = settings.clock ?? new ManualClock(new Date(settings.now ?? MORNING))
  const quotes = new Map([
    ['SPY', Decimal.parse('400')],
    ['TLT', Decimal.parse('90')],
    ['GLD', Decimal.parse('180.5')],
  ])
  const quote = (ticker: string) => quotes.get(ticker)
  const stage =
    (await settings.stage?.({ clock, quotes, cash })) ??
    new FaultyBroker(cash, { clock, calendar: nyse, quote }, { costs, leverageLimit })
  const signalService = new FakeSignalService(percentages, quote)
  const log = createLog({ logLevel: 'silent' })
  const stores = createLiveDatabase(database.database)
  const folders: string[] = []
  const newGate = () => {
    const folder = mkdtempSync(join(tmpdir(), 'tradewright-live-'))
    folders.push(folder)
    return emergencyFiles(folder)
  }
  const notifications = new Notifications({ messages: stores.messages, mailer: { isConfigured: true }, clock, log })
  const account = accountOf(userId, accountId)
  const strategy = { id: 1, name: 'Sixty forty', type: 'Asset Allocation' as const, description: null, config: {} }
  const deps: LiveDeps = {
    database: stores,
    brokerFor: async () => stage.broker,
    accounts: { list: async () => [account], find: async (_, id) => (id === accountId ? account : undefined) },
    strategies: {
      list: async () => [],
      performance: async () => [],
      findMany: async () => [],
      find: async (_, id) => ({ ...strategy, id, createdAt: new Date(), updatedAt: new Date() }),
    },
    // It may also want gold; today's weights come from the signal service.
    readStrategy: () => strategyOf({ ...percentages, GLD: percentages['GLD'] ?? 0 }),
    signalService,
    clock,
    log,
    modelCache: new ModelCache(),
    deploymentLog: createDeploymentLog(stores.journal, clock, log),
    gate: newGate(),
    limits: {},
    notify: notifications.notify,
    putMail: notifications.put,
    holder: randomUUID(),
    onStep: unwatched,
    signal: new AbortController().signal,
  }
  const { id: strategyId } = await database.database
    .insertInto('strategies')
    .values({
      user_id: userId,
      name: 'Sixty forty',
      strategy_type: 'Asset Allocation',
      config: '{}',
      created_at: new Date(),
      updated_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const open = (own: LiveDeps): LiveProcess => ({
    deps: own,
    runner: new LiveRunner(own, { leaseSeconds: LEASE_SECONDS }),
  })
  return {
    database,
    deps,
    stage,
    get broker() {
      if (stage instanceof FaultyBroker) return stage
      throw new Error('the broker of this world is not the simulation')
    },
    clock,
    signalService,
    quotes,
    userId,
    accountId,
    async deployed(more = {}) {
      const { deployment } = await deploy(deps, userId, deployForm({ strategyId, accountId, ...more }))
      return controlDeployment(deps, userId, deployment.id, 'start')
    },
    runner: (onStep = unwatched) =>
      open({ ...deps, modelCache: new ModelCache(), holder: randomUUID(), onStep }).runner,
    process: (onStep = unwatched) => {
      const deploymentLog = createDeploymentLog(stores.journal, clock, log)
      return open({ ...deps, holder: randomUUID(), onStep, gate: newGate(), deploymentLog })
    },
    toDecision(before = 0) {
      const now = clock.now().getTime()
      let day = Math.floor(now / 86_400_000)
      while (!nyse.isSession(day) || nyse.closeOf(day) - 30 * MINUTE <= now) day++
      clock.advance(nyse.closeOf(day) - 30 * MINUTE - before - now)
    },
    async close() {
      // Deployments of this world must no longer run.
      if (settings.database) {
        await database.database.updateTable('deployments').set({ deleted_at: new Date() }).execute()
      } else await database.close()
      await stage.close()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const deployForm = (more: Partial<DeployForm>): DeployForm => ({
  name: 'Sixty forty live',
  strategyId: null,
  accountId: null,
  settings: settingsOf(),
  capitalPolicy: 'fixed_contribution',
  capitalPolicyValue: Decimal.parse('10000'),
  autoStart: false,
  contributionMode: 'cash',
  positions: [],
  extraCash: Decimal.zero,
  ...more,
})

const accountOf = (userId: number, id: number): BrokerageAccount => ({
  id,
  userId,
  name: 'Paper',
  broker: 'paper',
  isPaper: true,
  isDefault: true,
  sealedKeys: null,
  status: 'verified',
  reason: null,
  connectedAt: null,
  createdAt: new Date(0),
})

/** Lets one runner, or several at the same time, work until no order and no decision is open. */
export async function settle(world: LiveWorld, runners: LiveRunner | readonly LiveRunner[], beats = 8): Promise<void> {
  for (let beat = 0; beat < beats; beat++) {
    await Promise.all([runners].flat().map((runner) => runner.tick()))
    world.clock.advance(1_000)
  }
}

/**
 * Invariants after anything: every order of ours at the broker is known here, none twice, the ledger adds up to the
 * balances and to the broker's account, and no entry is out of balance.
 */
export async function expectSound(world: LiveWorld): Promise<void> {
  const { stage, database } = world
  const orders = (await stage.ordersTaken()).filter(({ clientOrderId }) => clientOrderId.startsWith('tw-'))
  const intents = await database.database
    .selectFrom('order_intents')
    .selectAll()
    .where('account_id', '=', world.accountId)
    .execute()
  const known = new Map(intents.map((intent) => [intent.client_order_id, intent]))
  expect(new Set(orders.map(({ clientOrderId }) => clientOrderId)).size).toBe(orders.length)
  for (const order of orders) {
    const intent = known.get(order.clientOrderId)
    expect(intent, order.clientOrderId).toMatchObject({ broker_order_id: order.id, state: order.state })
    expect(Decimal.parse(intent!.booked_quantity).equals(order.filledQuantity), order.clientOrderId).toBe(true)
  }
  await expectBalanced(world)
}

export async function expectBalanced({ database, stage, deps, accountId }: LiveWorld): Promise<void> {
  const rows = await database.database
    .selectFrom('ledger_entries')
    .select(['key', 'legs'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  let replayed: Books = emptyBooks
  for (const { key, legs } of rows) {
    const parsed = (legs as { party: Leg['party']; asset: string; amount: string }[]).map(
      ({ party, asset, amount }) => ({
        party,
        asset,
        amount: Decimal.parse(amount),
      }),
    )
    replayed = post(replayed, { key, legs: parsed })
  }
  const books = await deps.database.books.books(accountId)
  expect(told(accountTotal(books))).toEqual(told(accountTotal(replayed)))
  const cash = accountTotal(books)
    .cash.minus(await stage.cashHeld())
    .absolute()
  expect(cash.isBelow(Decimal.parse('0.01')), `books and broker differ by ${String(cash)}`).toBe(true)
}

const told = ({ cash, positions }: ReturnType<typeof accountTotal>) => ({
  cash: String(cash),
  positions: Object.fromEntries([...positions].map(([ticker, quantity]) => [ticker, String(quantity)])),
})

export async function activityOf(world: LiveWorld, id: number): Promise<string[]> {
  const items = await world.deps.database.journal.activity(id, 200)
  return items.map(({ activity }) => (activity.type === 'event' ? activity.message : activity.action))
}

export async function logOf(world: LiveWorld, id: number): Promise<string> {
  await world.deps.deploymentLog.flush()
  return (await world.deps.database.journal.logTail(id, 1000)).join('\n')
}
