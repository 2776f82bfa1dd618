import type { DeploymentStore } from './deployments.ts'
import type { BookStore } from './books.ts'
import type { OrderStore } from './orders.ts'
import type { DecisionStore } from './decisions.ts'
import type { ModelStore } from './models.ts'
import type { JournalStore } from './journal.ts'
import type { LeaseStore } from './leases.ts'
import type { MessageStore } from './messages.ts'
import type { RecordStore } from '../../forward-records/ports.ts'
import type { SignalStore } from '../../external-signals/own-signals.ts'
import type { TickerChangeStore } from './ticker-changes.ts'

export interface LiveStores {
  readonly deployments: DeploymentStore
  readonly books: BookStore
  readonly orders: OrderStore
  readonly decisions: DecisionStore
  readonly models: ModelStore
  readonly journal: JournalStore
  readonly leases: LeaseStore
  readonly messages: MessageStore
  readonly tickerChanges: TickerChangeStore
  /** Signals from outside that strategies received. */
  readonly signals: Pick<SignalStore, 'record'>
  readonly records: RecordStore
}

export interface LiveDatabase extends LiveStores {
  /** Everything that the work writes lands, or nothing does. */
  transaction<Result>(work: (stores: LiveStores) => Promise<Result>): Promise<Result>
}
