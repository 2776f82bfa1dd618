import { Problem } from '@tradewright/core/problem'

export const storeTypes = ['local', 's3', 'gcs', 'azure', 'postgresql', 'mongodb'] as const
export type StoreType = (typeof storeTypes)[number]

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
