import { Problem } from '@tradewright/core/problem'
import type { SeriesStore } from '@tradewright/engine/market/series-store'

export const storeTypes = ['local', 's3', 'gcs', 'azure', 'postgresql', 'mongodb'] as const
type StoreType = (typeof storeTypes)[number]

type PartitionStrategy = 'date' | 'ticker' | 'date_ticker' | 'none'

/** Where a store is, without its passwords and keys. */
export type ConnectionConfig = Readonly<Record<string, unknown>>

export interface StoreSettings {
  readonly name: string
  readonly storeType: StoreType
  readonly defaultFormat: string
  readonly partitionStrategy: PartitionStrategy
  readonly compression: string
  readonly connectionConfig: ConnectionConfig
}

/** A place for series that belongs to one user. */
export interface DataStore extends StoreSettings {
  readonly id: number
  readonly userId: number
  /** The one that every user has from the start, in the program's own folder. */
  readonly isSystem: boolean
  readonly isDefault: boolean
  readonly sealedSecrets: Buffer | null
  /** Why the connection could not be tried when it was saved; null where it works. */
  readonly unverifiedReason: string | null
  readonly createdAt: Date
}

export const SYSTEM_STORE_NAME = 'System Storage'

export const storeMissing = (): Problem => new Problem('missing', 'store.missing', 'There is no such data store.')

/** A store of the user's, opened. */
export interface OpenStore {
  readonly id: number
  readonly name: string
  readonly series: SeriesStore
}

export interface NewStore extends StoreSettings {
  readonly isDefault: boolean
  readonly sealedSecrets: Buffer | null
  readonly unverifiedReason: string | null
}

/** The rows of data stores. Every read names the owner. */
export interface DataStoreRows {
  /** Made when it is first asked for. */
  systemStore(userId: number): Promise<DataStore>
  /** The system store first, then by age. */
  list(userId: number): Promise<DataStore[]>
  find(userId: number, id: number): Promise<DataStore | undefined>
  defaultOf(userId: number): Promise<DataStore | undefined>
  /** `seal` seals the secrets for the row, whose id is known then. */
  insert(userId: number, store: NewStore, seal?: (id: number) => Buffer | null): Promise<DataStore>
  /** Undefined when it no longer exists. */
  update(userId: number, id: number, store: NewStore): Promise<DataStore | undefined>
  remove(userId: number, id: number): Promise<boolean>
}

/** Speaks to stores of every type this program knows. The connection comes with its secrets. */
export interface StoreConnector {
  /**
   * Tries the connection. A Problem says what is wrong with it; where the store does not answer, so that the settings
   * may be right, the reason is returned instead.
   */
  check(storeType: StoreType, connection: ConnectionConfig): Promise<string | undefined>
  open(store: DataStore, connection: ConnectionConfig): Promise<SeriesStore>
  /**
   * The removal of every file that a store has on this machine; asked before its row goes, called after. Files that lie
   * elsewhere are the user's own and stay.
   */
  discarding(store: DataStore): Promise<() => Promise<void>>
}

/** The user's stores, ready to be read and written. */
export interface OpenStores {
  /** The default store; a user who has chosen none has the system store. */
  defaultOf(userId: number): Promise<OpenStore>
  /** A store by its id, the default one without; another user's is missing. */
  find(userId: number, id: number | undefined): Promise<OpenStore>
}
