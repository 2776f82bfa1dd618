import type { SeriesStore } from '@tradewright/engine/market/series-store'
import type { DataStore, StoreSettings } from './data-store.ts'
import type { StoreSecrets } from './store-secrets.ts'

/** A store of the user's, opened. */
export interface OpenStore {
  readonly id: number
  readonly name: string
  readonly series: SeriesStore
}

export interface NewStore extends StoreSettings {
  readonly isDefault: boolean
  readonly sealedSecrets: Buffer | null
}

/** The rows of data stores. Every read names the owner. */
export interface DataStoreRows {
  /** Made when it is first asked for. */
  systemStore(userId: number): Promise<DataStore>
  /** The system store first, then by age. */
  list(userId: number): Promise<DataStore[]>
  find(userId: number, id: number): Promise<DataStore | undefined>
  defaultOf(userId: number): Promise<DataStore | undefined>
  insert(userId: number, store: NewStore): Promise<DataStore>
  /** Undefined when it is not there any more. */
  update(userId: number, id: number, store: NewStore): Promise<DataStore | undefined>
  remove(userId: number, id: number): Promise<boolean>
}

/** What is needed to reach a store. */
export type StoreAddress = StoreSettings & { readonly userId: number; readonly isSystem?: boolean }

/** Speaks to stores of every type this program knows. */
export interface StoreConnector {
  /** Tries the connection; a Problem says why it does not work. */
  check(store: StoreAddress, secrets: StoreSecrets): Promise<void>
  open(store: StoreAddress, secrets: StoreSecrets): Promise<SeriesStore>
}

/** The user's stores, ready to be read and written. */
export interface OpenStores {
  /** The default store; a user who has chosen none has the system store. */
  defaultOf(userId: number): Promise<OpenStore>
  /** A store by its id, the default one without; a foreign one is missing. */
  find(userId: number, id: number | undefined): Promise<OpenStore>
}
