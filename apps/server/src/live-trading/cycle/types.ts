import type { Clock } from '@tradewright/core/clock'
import type { Decimal } from '@tradewright/core/decimal'
import type { Note } from '@tradewright/core/note'
import type { Problem } from '@tradewright/core/problem'
import type { OrderLimits } from '@tradewright/engine/live/order-limits'
import type { SizedOrder } from '@tradewright/engine/live/sized-order'
import type { TradeAnswer } from '@tradewright/engine/live/trade-or-hold'
import type { TradingWeight } from '@tradewright/engine/live/trading-weights'
import type { TradingCalendar } from '@tradewright/engine/market/trading-calendar'
import type { Broker, BrokerAccount, TradableAsset } from '@tradewright/engine/trading/broker'
import type { Books, Slice } from '@tradewright/engine/trading/ledger/books'
import type { Logger } from '../../log.ts'
import type { Order, OrderSide } from '@tradewright/engine/trading/order'
import type { DecidedSignal, Decision, DecisionOutcome, OrderIntent } from '../decision.ts'
import type { Actor } from '../actor.ts'
import type { DeploymentLog } from '../deployment-log.ts'
import type { Deployment, NotificationEvent } from '../deployment.ts'
import type { EmergencyGate } from '../stops/emergency-gate.ts'
import type { Halt } from '../ports/books.ts'
import type { LiveDatabase, LiveStores } from '../ports/database.ts'
import type { SignalService } from '../ports/signal-service.ts'
import type { TickerChange } from '../ports/ticker-changes.ts'
import type { MarketTime } from './market-time.ts'
import type { ModelCache } from './propose/model-cache.ts'
import type { OnStep } from './order-steps.ts'

/** Tells people by e-mail. Never fails: what cannot be stored now is stored later, and trading goes on. */
export type Notify = (deployment: Deployment, event: NotificationEvent, message: Notice) => Promise<void>

/** Stores e-mails with the rest of a transaction: told is what was decided, and only that. */
export type PutMail = (
  stores: Pick<LiveStores, 'messages'>,
  deployment: Deployment,
  event: NotificationEvent,
  message: Notice,
) => Promise<void>

type RaiseAlert = (deployment: Deployment, note: Note, actor: Actor) => Promise<void>

export interface Notice {
  readonly subject: string
  readonly text: string
  /** Sent once: an order, a day, an error per hour. */
  readonly key: string
}

export interface CycleDeps {
  readonly database: LiveDatabase
  readonly brokerFor: (userId: number, accountId: number) => Promise<Broker>
  readonly signalService: SignalService
  readonly modelCache: ModelCache
  readonly clock: Clock
  readonly log: Logger
  readonly deploymentLog: DeploymentLog
  readonly gate: EmergencyGate
  /** The operator's, for every account. */
  readonly limits: OrderLimits
  readonly notify: Notify
  readonly putMail: PutMail
  /** Tells people by their alert channels. Never fails. */
  readonly alert?: RaiseAlert
  /** Who asked; the program itself where it is left out. */
  readonly actor?: Actor
  /** This process, as leases know it. */
  readonly holder: string
  readonly onStep: OnStep
  readonly signal: AbortSignal
}

/** The same for one deployment: what is noted about it, and its health, are recorded with its name and who asked. */
export interface DeploymentDeps extends CycleDeps {
  readonly note: (note: Note) => Promise<void>
  readonly setHealth: (problem: Note | null) => Promise<void>
}

/** Shared by the deployments of one poll. */
export interface PollDeps extends CycleDeps {
  /** Journals a decision, perhaps with others of its account, before anything is sent for it. */
  readonly commit: (proposed: Proposed) => Promise<Committed>
}

/** What running one deployment in a poll needs. */
export interface RunDeps extends PollDeps, DeploymentDeps {
  /** The same with the user whose choice the next trade carries out in the place of the schedule. */
  readonly asAsked: PollDeps & DeploymentDeps
}

export interface CycleTime {
  /** The instant it is scheduled for: the decision's name, whenever it is really made. */
  readonly scheduledFor: Date
  readonly runsOutAt: Date
  readonly calendar: TradingCalendar
  /** The instant by the broker's clock. */
  readonly now: Date
}

// Reconcile.

export interface BrokerageAccountRef {
  readonly accountId: number
  readonly userId: number
}

/** State of an account after it was compared with its broker. */
export interface Reconciliation {
  /** `moving`: executions came in faster than they could be read; nothing is wrong, and nothing may be sent. */
  readonly verdict: 'agreed' | 'moving' | 'disagreed'
  /** As a sentence, where they disagree. */
  readonly disagreement: string | null
  /** The part of it that says that other installations trade in the account. */
  readonly otherInstallations: string | null
  readonly account: BrokerAccount
  /** Money from outside that the broker lists for today. */
  readonly externalFlow: Decimal
  readonly books: Books
  /** The newest price of everything that was ever held. */
  readonly prices: ReadonlyMap<string, Decimal>
  /** The broker's current quotes of current positions. */
  readonly quotes: ReadonlyMap<string, Decimal>
  /** Tickers whose orders the broker takes and does not fill. */
  readonly halts: ReadonlyMap<string, Halt>
  /** Journaled, but unknown to the broker. */
  readonly unheard: readonly OrderIntent[]
  /** False where a deployment had none that was open or not booked yet. */
  readonly mayHaveOrders: (deploymentId: number) => boolean
}

/** A snapshot of an account, for all of its deployments that have something to do now. */
export interface AccountSnapshot {
  readonly broker: Broker
  readonly assets: Assets
  readonly time: MarketTime
  readonly reconciliation: Reconciliation
  /** Decisions that were being carried out when it began, by deployment. */
  readonly atWork: ReadonlyMap<number, Decision>
  /** Changes of tickers that wait for their user's choice, by deployment. */
  readonly tickerChanges: ReadonlyMap<number, readonly TickerChange[]>
}

export type Assets = Pick<Broker, 'asset' | 'quote'>

/**
 * Why a run that is due decides nothing now. `skip` waits for the next instant of the schedule, `wait` for the next poll;
 * a problem is told as the deployment's health.
 */
export interface Obstacle {
  readonly next: 'skip' | 'wait'
  readonly note?: Note
  /** A line for the log, which the deployment's activity does not have. */
  readonly line?: string
  /** The deployment's open orders are to be cancelled. */
  readonly isCancelling?: boolean
  readonly problem?: Problem
}

// Propose.

/** Everything that a decision needs to be carried out, before anything is written. */
export interface Proposal {
  readonly signal: DecidedSignal
  readonly weights: readonly TradingWeight[]
  readonly answer: TradeAnswer
  readonly prices: ReadonlyMap<string, Decimal>
  readonly assets: ReadonlyMap<string, TradableAsset>
  /** Why an order is not sent now, by its name, as a sentence. */
  readonly heldBack: ReadonlyMap<string, string>
  readonly day: number
}

// Commit.

/** A decision that was made and is not written yet. */
export interface Proposed {
  readonly deployment: Deployment
  readonly reconciliation: Reconciliation
  readonly proposal: Proposal
  readonly time: CycleTime
}

export interface TradeInputs {
  readonly weights: readonly TradingWeight[]
  readonly slice: Slice
  readonly prices: ReadonlyMap<string, Decimal>
  readonly assets: ReadonlyMap<string, TradableAsset>
  readonly account: BrokerAccount
  readonly forgivenessPct: number
  readonly heldBack: ReadonlyMap<string, string>
  /** What others in the account own of a ticker, negative where they are short of it. */
  readonly heldByOthers: (ticker: string) => Decimal
  /** Sold by the decision already. */
  readonly sold?: ReadonlySet<string>
  /** Tickers among these whose sale was filled. */
  readonly closed?: ReadonlySet<string>
}

/** The orders of a decision, and those that are left out. */
export interface Plan {
  readonly outcome: DecisionOutcome
  readonly orders: readonly SizedOrder[]
  readonly notes: readonly Note[]
  /** Trades with other deployments of the account, which are done with the decision. */
  readonly netted: readonly NettedOrder[]
}

/** One side of a trade between two deployments of an account. */
export interface NettedOrder {
  readonly ticker: string
  readonly side: OrderSide
  readonly quantity: Decimal
  readonly price: Decimal
  readonly otherId: number
  readonly otherName: string
}

/** A decision and its orders, journaled. */
export interface Committed {
  /** Undefined when another process had decided for this instant already: its orders are the orders. */
  readonly decision: Decision | undefined
  readonly intents: readonly OrderIntent[]
  readonly notes: readonly Note[]
  readonly nextRunAt: Date | null
  /** It had a problem until now. */
  readonly hasRecovered: boolean
}

/** The second leg of a decision; `lost` to another process, or `stopped` by a user. */
export type CommittedPurchases =
  | { readonly state: 'lost' | 'stopped' }
  | { readonly state: 'committed'; readonly intents: readonly OrderIntent[]; readonly notes: readonly Note[] }

// Send.

/** What a decision that is being carried out needs: its orders sent, its purchases, its end, or patience. */
export type NextStep = 'send' | 'wait' | 'buy' | 'end'

/** What became of an order whose answer was a failure. */
export type OrderFate =
  | { readonly state: 'refused' | 'unknown'; readonly order?: undefined }
  | { readonly state: 'arrived'; readonly order: Order }
