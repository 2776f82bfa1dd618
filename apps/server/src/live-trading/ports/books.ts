import type { Usd } from '@tradewright/core/money'
import type { Books, Slice } from '@tradewright/engine/trading/ledger/books'
import type { Entry, EntryType } from '@tradewright/engine/trading/ledger/entry'
import type { OrderSide } from '@tradewright/engine/trading/order'

/** The newest order at the broker under a key of ours that no deployment of this installation has. */
export interface ForeignOrder {
  readonly clientOrderId: string
  readonly side: OrderSide
  readonly ticker: string
  readonly at: Date
}

/** A ticker whose orders the broker takes and does not fill. */
export interface Halt {
  readonly since: Date
  /** When the newest order that rested was sent. */
  readonly triedAt: Date
}

/** An account's state beside its books. */
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
  /** Since when they differ by executions that the broker does not list yet; null when they do not. */
  readonly movingSince: Date | null
  readonly cash: Usd | undefined
  readonly equity: Usd | undefined
  readonly buyingPower: Usd | undefined
  readonly leverageLimit: number
  /** By ticker, as the broker last valued its positions. */
  readonly prices: ReadonlyMap<string, Usd>
  /** By key; those that the user has accepted are left out. */
  readonly foreignOrders: ReadonlyMap<string, ForeignOrder>
  /** By ticker. */
  readonly halts: ReadonlyMap<string, Halt>
}

interface Sighting {
  readonly at: Date
  readonly disagreement: string | null
  readonly movingSince: Date | null
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
  states(accountIds: readonly number[]): Promise<ReadonlyMap<number, AccountState>>
  /** A lock until the transaction ends: transactions that move money in one account wait for each other here. */
  lock(accountId: number): Promise<AccountState | undefined>
  open(accountId: number, userId: number, at: Date, eventsSince: Date): Promise<boolean>
  books(accountId: number): Promise<Books>
  slice(accountId: number, deploymentId: number): Promise<Slice>
  /** Appends, in order, what is not booked yet; answers what was. Balances, totals and version follow. */
  post(accountId: number, entries: readonly Entry[], prices: ReadonlyMap<string, Usd>): Promise<Entry[]>
  /** Which of these keys are new; they count as seen from here on. */
  see(accountId: number, events: readonly { key: string; at: Date }[]): Promise<Set<string>>
  /** Which of these keys are not new. */
  seen(accountId: number, keys: readonly string[]): Promise<Set<string>>
  /** Entries whose key begins so, oldest first. */
  entries(accountId: number, keyStart: string): Promise<Entry[]>
  /** What moved shares of a deployment, oldest first. */
  movements(deploymentId: number): Promise<Pick<Entry, 'type' | 'legs' | 'amount'>[]>
  /** Shares of a ticker that a deployment had at the first instant, and after each entry until the other. */
  held(deploymentId: number, ticker: string, from: Date, until: Date): Promise<number[]>
  /** The shares of a ticker by owner, as they were at an instant. */
  heldAt(accountId: number, ticker: string, at: Date): Promise<Books>
  note(accountId: number, sighting: Sighting): Promise<void>
  noteHalt(accountId: number, ticker: string, halt: Halt): Promise<void>
  endHalt(accountId: number, ticker: string): Promise<void>
  /** Adds orders of other installations by their key; a newer one takes the place of an older one. */
  noteForeign(accountId: number, orders: ReadonlyMap<string, ForeignOrder>): Promise<void>
  /** Accepts foreign orders: those that were noted, and all until this instant, are no obstacle any more. */
  acceptForeign(accountId: number, at: Date): Promise<void>
  /**
   * Accounts in which no deployment runs or has work left, and which were last compared before an instant. Each is given
   * to one process, and again when it was not compared so long after `now`.
   */
  claimIdle(before: Date, now: Date, limit: number): Promise<{ accountId: number; userId: number }[]>
  page(deploymentId: number, page: number, pageSize: number, filter: LedgerFilter): Promise<LedgerPage>
  types(deploymentId: number): Promise<EntryType[]>
}
