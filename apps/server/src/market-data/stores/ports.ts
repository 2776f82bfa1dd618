import type { SeriesStore } from '@tradewright/engine/market/series-store'
import type { ConnectionConfig, DataStore, StoreSettings, StoreType } from './data-store.ts'

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
