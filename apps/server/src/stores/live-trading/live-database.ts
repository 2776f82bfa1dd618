import type { LiveDatabase, LiveStores } from '../../live-trading/ports/database.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { createRecordStore } from '../forward-records/forward-records.ts'
import { createSignalStore } from '../external-signals/external-signals.ts'
import { createBookStore } from './books.ts'
import { createDecisionStore } from './decisions.ts'
import { createDeploymentStore } from './deployments.ts'
import { createJournalStore } from './journal.ts'
import { createLeaseStore } from './leases.ts'
import { createMessageStore } from './messages.ts'
import { createModelStore } from './models.ts'
import { createOrderStore } from './orders.ts'
import { createTickerChangeStore } from './ticker-changes.ts'

export const createLiveDatabase = (database: Database): LiveDatabase => ({
  ...storesOn(database),
  transaction: (work) => database.transaction().execute((transaction) => work(storesOn(transaction))),
})

const storesOn = (database: Database | DatabaseTransaction): LiveStores => ({
  deployments: createDeploymentStore(database),
  books: createBookStore(database),
  orders: createOrderStore(database),
  decisions: createDecisionStore(database),
  models: createModelStore(database),
  journal: createJournalStore(database),
  leases: createLeaseStore(database),
  messages: createMessageStore(database),
  tickerChanges: createTickerChangeStore(database),
  signals: createSignalStore(database),
  records: createRecordStore(database),
})
