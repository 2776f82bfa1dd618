import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { LiveSignal } from '@tradewright/engine/live/signal-now'
import type { TrainingMode } from '@tradewright/engine/live/train-model'
import type { LastTrade } from '@tradewright/engine/live/trade-or-hold'
import type { ModelChoice } from '@tradewright/engine/models/model-choice'
import type { DeploymentStatus } from '@tradewright/engine/trading/deployment-status'
import type { Books, Slice } from '@tradewright/engine/trading/ledger/books'
import type { Entry, EntryType } from '@tradewright/engine/trading/ledger/entry'
import type { Order } from '@tradewright/engine/trading/order'
import type { Strategy } from '../strategies/strategy.ts'
import type { Decision, DecisionOutcome, OrderIntent } from './decision.ts'
import type {
  CapitalTotals,
  Deployment,
  DeploymentSettings,
  NotificationEvent,
  RunnableStrategy,
} from './deployment.ts'

export type NewDeployment = Omit<
  Deployment,
  'id' | 'userId' | 'status' | 'totals' | 'lastTrade' | 'nextRunAt' | 'healthProblem' | 'emergencyStoppedAt'
>

export interface DeploymentChange {
  readonly name?: string
  readonly strategyId?: number | null
  readonly strategyName?: string
  readonly strategyType?: Deployment['strategyType']
  readonly strategy?: RunnableStrategy
  readonly settings?: DeploymentSettings
  readonly status?: DeploymentStatus
  readonly capitalPolicyValue?: Decimal
  readonly totals?: CapitalTotals
  readonly lastTrade?: LastTrade | null
  readonly nextRunAt?: Date | null
  readonly healthProblem?: string | null
  readonly emergencyStoppedAt?: Date | null
}

/** Deployments of one user at a time: another's do not exist. Deleted ones do not exist either. */
export interface DeploymentStore {
  /** Newest first. */
  list(userId: number): Promise<Deployment[]>
  find(userId: number, id: number): Promise<Deployment | undefined>
  /** The same, held until the transaction ends. */
  lock(userId: number, id: number): Promise<Deployment | undefined>
  byId(id: number): Promise<Deployment | undefined>
  byOrderKey(orderKey: string): Promise<Deployment | undefined>
  onAccount(accountId: number): Promise<Deployment[]>
  ofStrategy(userId: number, strategyId: number): Promise<Deployment[]>
  insert(userId: number, deployment: NewDeployment): Promise<Deployment>
  change(id: number, change: DeploymentChange): Promise<void>
  /** Its orders and ledger stay, as evidence; model, logs, decisions' words and snapshots go. */
  bury(id: number, at: Date): Promise<void>
}

/** What is known of an account beside its books. */
export interface AccountState {
  readonly accountId: number
  readonly userId: number
  readonly version: number
  readonly openedAt: Date
  /** Executions and activities before this have all been seen. */
  readonly eventsSince: Date
  readonly comparedAt: Date | null
  /** Why broker and books disagree, as a sentence; null when they agree. */
  readonly disagreement: string | null
  readonly cash: Usd | undefined
  readonly equity: Usd | undefined
  readonly buyingPower: Usd | undefined
  readonly leverageLimit: number
  /** By ticker, as the broker last valued its positions. */
  readonly prices: ReadonlyMap<string, Usd>
}

export interface Sighting {
  readonly at: Date
  readonly disagreement: string | null
  readonly cash: Usd
  readonly equity: Usd
  readonly buyingPower: Usd
  readonly leverageLimit: number
  readonly prices: ReadonlyMap<string, Usd>
  readonly eventsSince: Date
}

export interface LedgerRow {
  readonly id: number
  readonly recordedAt: Date
  readonly type: EntryType
  readonly direction: Entry['direction']
  readonly note: string | null
  readonly currency: string
  readonly amount: Usd
  readonly cashAfter: Usd
  readonly equityAfter: Usd
  readonly accountValueAfter: Usd | undefined
  readonly positionsAfter: Readonly<Record<string, string>>
}

export interface LedgerPage {
  readonly entries: readonly LedgerRow[]
  readonly total: number
}

export interface LedgerFilter {
  readonly types: readonly EntryType[] | undefined
  readonly search: string | undefined
}

/** The ledger of brokerage accounts: written by `post` alone, never changed. */
export interface BookStore {
  state(accountId: number): Promise<AccountState | undefined>
  /** Held until the transaction ends: whoever moves money in an account waits here for the others. */
  lock(accountId: number): Promise<AccountState | undefined>
  open(accountId: number, userId: number, at: Date, eventsSince: Date): Promise<boolean>
  books(accountId: number): Promise<Books>
  slice(accountId: number, deploymentId: number): Promise<Slice>
  /** Appends, in order, what is not booked yet; answers what was. Balances, totals and version follow. */
  post(accountId: number, entries: readonly Entry[], prices: ReadonlyMap<string, Usd>): Promise<Entry[]>
  /** Which of these keys are new; they count as seen from here on. */
  see(accountId: number, events: readonly { key: string; at: Date }[]): Promise<Set<string>>
  note(accountId: number, sighting: Sighting): Promise<void>
  page(deploymentId: number, page: number, pageSize: number, filter: LedgerFilter): Promise<LedgerPage>
  types(deploymentId: number): Promise<EntryType[]>
}

export interface OrderStore {
  insert(intents: readonly OrderIntent[]): Promise<void>
  ofDecision(decisionId: number): Promise<OrderIntent[]>
  /** Open, or filled beyond what is booked. */
  unsettled(accountId: number): Promise<OrderIntent[]>
  newest(deploymentId: number, limit: number): Promise<OrderIntent[]>
  byClientIds(accountId: number, ids: readonly string[]): Promise<OrderIntent[]>
  /**
   * Marks it as on its way, if it still waits in this state, `holder` still holds the lease and the deployment still
   * runs. A stop, whichever process is asked for it, comes before this or after it, never at the same time.
   */
  claim(clientOrderId: string, from: 'intended' | 'sending', holder: string, at: Date): Promise<boolean>
  /** What the broker says. A state that has ended is never reopened, and an abandoned one is taken up again. */
  adopt(order: Order, at: Date): Promise<void>
  end(clientOrderId: string, state: 'rejected' | 'abandoned', reason: string, at: Date): Promise<boolean>
  addBooked(clientOrderId: string, quantity: Decimal, at: Date): Promise<void>
}

export interface NewDecision extends Omit<Decision, 'id'> {
  readonly id?: undefined
}

export interface DecisionStore {
  /** Undefined when this instant was decided on already. */
  insert(decision: NewDecision): Promise<Decision | undefined>
  atWork(deploymentId: number): Promise<Decision | undefined>
  latest(deploymentId: number): Promise<Decision | undefined>
  find(deploymentId: number, decidedFor: Date): Promise<Decision | undefined>
  move(id: number, outcome: DecisionOutcome, more?: Pick<Decision, 'reason' | 'isPartial'>): Promise<void>
  ofWhichAtWork(deploymentIds: readonly number[]): Promise<Set<number>>
}

export interface StoredModel {
  readonly bytes: Uint8Array
  /** What it was made for; another recipe needs another model. */
  readonly recipe: string
  readonly checksum: string
  readonly fingerprint: string
  readonly rows: number
  readonly from: string
  readonly to: string
  readonly synthetic: boolean
  readonly trainedAt: Date
}

export interface ModelStore {
  find(deploymentId: number): Promise<StoredModel | undefined>
  about(deploymentId: number): Promise<Omit<StoredModel, 'bytes'> | undefined>
  save(deploymentId: number, model: StoredModel): Promise<void>
  remove(deploymentId: number): Promise<void>
}

export interface Snapshot {
  readonly at: Date
  readonly value: Usd
  readonly cash: Usd
  readonly netContributions: Usd
  readonly growth: number
  readonly accountValue: Usd
}

/** Plain data, as the wire shows it. */
export type Activity =
  | {
      readonly type: 'signal'
      readonly signalType: string
      readonly confidence: number | null
      readonly action: string
    }
  | { readonly type: 'event'; readonly level: 'info' | 'warning' | 'error'; readonly message: string }

export interface StoredReplay {
  readonly computedAt: Date
  readonly points: readonly { readonly at: number; readonly growth: number }[]
  readonly driftPct: number | null
  readonly error: string | null
}

export interface JournalStore {
  tell(deploymentId: number, at: Date, activity: Activity): Promise<void>
  activity(deploymentId: number, limit: number): Promise<{ at: Date; activity: Activity }[]>
  snapshot(deploymentId: number, snapshot: Snapshot): Promise<void>
  lastSnapshot(deploymentId: number, before?: Date): Promise<Snapshot | undefined>
  /** By deployment; those that have none are left out. */
  lastSnapshots(deploymentIds: readonly number[]): Promise<ReadonlyMap<number, Snapshot>>
  highestGrowth(deploymentId: number): Promise<number>
  /** The last value of each of the last days, oldest first; days without one are left out. */
  dailyGrowth(deploymentIds: readonly number[], now: Date, days: number): Promise<Map<number, number[]>>
  /** Oldest first; thinned to about `limit`. */
  snapshots(deploymentId: number, limit: number): Promise<Snapshot[]>
  appendLog(lines: readonly { deploymentId: number; line: string }[]): Promise<void>
  /** Oldest first. */
  logTail(deploymentId: number, lines: number): Promise<string[]>
  replay(deploymentId: number): Promise<StoredReplay | undefined>
  saveReplay(deploymentId: number, replay: StoredReplay): Promise<void>
}

export interface Held {
  readonly held: readonly Deployment[]
  /** Those whose holder let its lease run out: it died, or it hangs. */
  readonly takenOver: ReadonlySet<number>
}

export interface LeaseStore {
  /**
   * Takes or renews the leases of all deployments that need a runner, by the database's clock, so that clocks of
   * machines do not matter; answers those that this holder has now.
   */
  claim(holder: string, seconds: number): Promise<Held>
  /** Whether the lease is this holder's; held until the transaction ends. */
  holds(deploymentId: number, holder: string): Promise<boolean>
  isAttended(deploymentId: number): Promise<boolean>
  /** All that it holds, or these. */
  release(holder: string, deploymentIds?: readonly number[]): Promise<void>
}

/** An e-mail to one address. */
export interface NewMail {
  readonly deploymentId: number
  readonly event: NotificationEvent
  /** What it tells; the same is told once, an error once an hour. */
  readonly key: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface WaitingMail extends Pick<NewMail, 'event' | 'to' | 'subject' | 'text'> {
  readonly id: number
  /** Counting the one that is made of it now. */
  readonly attempts: number
}

/** E-mails on their way out: rows, so that a crash loses none. */
export interface MailStore {
  /** What was told before is not put in again. */
  put(mails: readonly NewMail[], at: Date): Promise<void>
  /** Those that are due, nobody else's for so many seconds; after that, whoever took them is taken for dead. */
  take(limit: number, seconds: number): Promise<WaitingMail[]>
  sent(id: number): Promise<void>
  /** Tried again after so many seconds; never, where there are none. */
  failed(id: number, failure: string, againInSeconds: number | undefined): Promise<void>
  /** Drops what ended before. */
  forget(before: Date): Promise<void>
}

export interface LiveStores {
  readonly deployments: DeploymentStore
  readonly books: BookStore
  readonly orders: OrderStore
  readonly decisions: DecisionStore
  readonly models: ModelStore
  readonly journal: JournalStore
  readonly leases: LeaseStore
  readonly mails: MailStore
}

export interface LiveDatabase extends LiveStores {
  /** Everything that the work writes lands, or nothing does. */
  transaction<Result>(work: (stores: LiveStores) => Promise<Result>): Promise<Result>
}

/** Reads the form that a strategy was saved with; a Problem says why it cannot be deployed. */
export type ReadStrategy = (strategy: Strategy) => RunnableStrategy

export interface SignalQuestion {
  readonly userId: number
  readonly request: BacktestRequest
  readonly provider: string
  readonly model: Uint8Array | undefined
  readonly at: number
  /** Trading tickers whose newest price is wanted beside the signal. */
  readonly tickers: readonly string[]
}

export interface SignalAnswer {
  readonly signal: LiveSignal
  /** The newest known closes. */
  readonly prices: ReadonlyMap<string, number>
}

export interface TrainingAnswer extends Omit<StoredModel, 'recipe' | 'trainedAt'> {
  readonly description: string
}

/** Fetches and computes away from the thread that answers requests. */
export interface DecisionDesk {
  signal(question: SignalQuestion, signal: AbortSignal): Promise<SignalAnswer>
  train(
    question: Pick<SignalQuestion, 'userId' | 'request' | 'provider'> & {
      readonly choice: ModelChoice
      readonly training: TrainingMode
    },
    signal: AbortSignal,
  ): Promise<TrainingAnswer>
  /** Splits of a ticker that took effect in these days, both included: new shares per old one. */
  splits(userId: number, ticker: string, from: number, last: number): Promise<Decimal[]>
}

export type MarketDataOf = (userId: number, request: BacktestRequest, provider: string) => Promise<MarketData>
