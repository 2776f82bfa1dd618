import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { Note } from '@tradewright/core/note'
import type { HeldOrder } from '@tradewright/engine/live/held-orders'
import type { LastTrade } from '@tradewright/engine/live/trade-or-hold'
import type { DeploymentStatus } from '@tradewright/engine/trading/deployment-status'
import type { Slice } from '@tradewright/engine/trading/ledger/books'
import type { Actor } from '../actor.ts'
import type {
  CapitalTotals,
  DeployedTrade,
  Deployment,
  DeploymentSettings,
  DividendDue,
  RunnableStrategy,
} from '../deployment.ts'
import type { Snapshot } from './journal.ts'

type NewDeployment = Omit<
  Deployment,
  | 'id'
  | 'userId'
  | 'status'
  | 'totals'
  | 'lastTrade'
  | 'nextRunAt'
  | 'healthProblem'
  | 'emergencyStoppedAt'
  | 'liquidatingSince'
  | 'liquidatingBy'
  | 'retrainAt'
  | 'retrainingProblem'
>

interface ChangedFields {
  readonly name?: string
  readonly strategyId?: number | null
  readonly strategyName?: string
  readonly strategyType?: Deployment['strategyType']
  readonly strategy?: RunnableStrategy
  readonly settings?: DeploymentSettings
  readonly capitalPolicyValue?: Decimal
  readonly totals?: CapitalTotals
  readonly lastTrade?: DeployedTrade | null
  readonly nextRunAt?: Date | null
  readonly healthProblem?: Note | null
  readonly emergencyStoppedAt?: Date | null
  readonly liquidatingSince?: Date | null
  readonly liquidatingBy?: Actor
  readonly retrainAt?: Date | null
  readonly retrainingProblem?: string | null
  /** Set while the last run was missed. */
  readonly runMissedAt?: Date | null
  readonly dividendsDue?: readonly DividendDue[]
  readonly heldOrders?: readonly HeldOrder[]
  readonly stops?: NonNullable<Deployment['stops']>
}

/** A new status says since when. */
export type DeploymentChange = ChangedFields &
  (
    | { readonly status: DeploymentStatus; readonly statusAt: Date }
    | { readonly status?: undefined; readonly statusAt?: undefined }
  )

/** From the first instant to the second; to this day where that is null. */
interface Pause {
  readonly from: Date
  readonly to: Date | null
}

interface AfterDecision {
  readonly id: number
  readonly nextRunAt: Date | null
  /** Stays as it was where none is given. */
  readonly lastTrade: LastTrade | undefined
}

/** A deployment with what it owns, the prices its account last saw, its newest snapshot and what it decided by. */
export interface DeploymentHoldings {
  readonly deployment: Deployment
  readonly slice: Slice
  readonly prices: ReadonlyMap<string, Usd>
  /** Why the books of its account and the broker disagree, as a sentence; null when they agree. */
  readonly disagreement: string | null
  readonly snapshot: Snapshot | undefined
  /** Whether the newest decision stood on made-up prices. */
  readonly isSynthetic: boolean
  /** Tickers that the newest decision priced by the sample market; empty for decisions of earlier versions. */
  readonly syntheticTickers: readonly string[]
}

/** Deployments of one user at a time: another's do not exist. Deleted ones do not exist either. */
export interface DeploymentStore {
  /** Newest first. */
  list(userId: number): Promise<Deployment[]>
  /** Newest first; or one of them. */
  holdings(userId: number, id?: number): Promise<DeploymentHoldings[]>
  find(userId: number, id: number): Promise<Deployment | undefined>
  /** The same, held until the transaction ends. */
  lock(userId: number, id: number): Promise<Deployment | undefined>
  /** Deployments of any user by id, held until the transaction ends; deleted ones are left out. */
  lockAll(ids: readonly number[]): Promise<ReadonlyMap<number, Deployment>>
  byId(id: number): Promise<Deployment | undefined>
  byOrderKey(orderKey: string): Promise<Deployment | undefined>
  onAccount(accountId: number): Promise<Deployment[]>
  /** Which of these order keys a deployment of this installation has or had, in any account. */
  knownOrderKeys(orderKeys: readonly string[]): Promise<ReadonlySet<string>>
  ofStrategy(userId: number, strategyId: number): Promise<Deployment[]>
  insert(userId: number, deployment: NewDeployment): Promise<Deployment>
  change(id: number, change: DeploymentChange): Promise<void>
  /** When it was paused or stopped after its first start, oldest first. */
  pauses(id: number): Promise<Pause[]>
  /** Records a decision: the next run, what was traded, and clears its problem. */
  decided(changes: readonly AfterDecision[]): Promise<void>
  /** Deletes a deployment. Its orders and ledger stay, as evidence; model, logs, decisions' words and snapshots go. */
  bury(id: number, at: Date): Promise<void>
}
