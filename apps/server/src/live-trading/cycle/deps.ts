import type { Clock } from '@tradewright/core/clock'
import type { Broker } from '@tradewright/engine/trading/broker'
import type { Logger } from '../../log.ts'
import type { Deployment, NotificationEvent } from '../deployment.ts'
import type { DeploymentLog } from '../deployment-log.ts'
import type { EmergencyGate } from '../emergency-gate.ts'
import type { DecisionDesk } from '../ports/desk.ts'
import type { LiveDatabase, LiveStores } from '../ports/database.ts'
import type { Proposed, Written } from './decision-writer.ts'
import type { ModelCache } from './model-cache.ts'
import type { OnStep } from './order-steps.ts'

/** Tells people by e-mail. Never fails: what cannot be stored now is stored later, and trading goes on. */
export type Notify = (deployment: Deployment, event: NotificationEvent, message: Notice) => Promise<void>

/** Stores e-mails with the rest of a transaction: told is what was decided, and only that. */
export type PutMail = (
  stores: Pick<LiveStores, 'mails'>,
  deployment: Deployment,
  event: NotificationEvent,
  message: Notice,
) => Promise<void>

export interface Notice {
  readonly subject: string
  readonly text: string
  /** Sent once: an order, a day, an error per hour. */
  readonly key: string
}

export interface CycleDeps {
  readonly database: LiveDatabase
  readonly brokerFor: (userId: number, accountId: number) => Promise<Broker>
  readonly desk: DecisionDesk
  readonly modelCache: ModelCache
  readonly clock: Clock
  readonly log: Logger
  readonly deploymentLog: DeploymentLog
  readonly gate: EmergencyGate
  readonly notify: Notify
  readonly putMail: PutMail
  /** This process, as leases know it. */
  readonly holder: string
  readonly onStep: OnStep
  readonly signal: AbortSignal
}

/** Needed for running a deployment beside that. */
export interface RunDeps extends CycleDeps {
  /** Journals a decision, perhaps with others of its account, before anything is sent for it. */
  readonly writeDecision: (proposed: Proposed) => Promise<Written>
}
