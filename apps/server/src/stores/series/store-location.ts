import { type ConnectionConfig, type StoreType, textOf } from './store-connection.ts'

export type BucketType = Exclude<StoreType, 'local' | 'postgresql'>

/** The fields that say where the files are; the others say how to get there. */
const PLACE_FIELDS: Readonly<Record<BucketType, readonly string[]>> = {
  s3: ['endpoint', 'bucket', 'prefix'],
  gcs: ['gcs_bucket', 'prefix'],
  azure: ['endpoint', 'account_name', 'container_name', 'prefix'],
  mongodb: ['mongo_host', 'port', 'mongo_database', 'collection_prefix', 'prefix'],
}

export const bucketLocation = (storeType: BucketType, config: ConnectionConfig): string =>
  `${storeType}:${JSON.stringify(PLACE_FIELDS[storeType].map((field) => textOf(config, field) ?? ''))}`

/**
 * `folderId` says which machine's folder; `path` is as `allowedFolder` gives it, so that a data folder may be moved.
 */
export const localLocation = (folderId: string, path: string): string => `${localPrefix(folderId)}${path}`

/** The common beginning of the locations of all local stores in a folder. */
export const localPrefix = (folderId: string): string => `${folderId}:local:`

export const systemLocation = (folderId: string): string => `${folderId}:system`
