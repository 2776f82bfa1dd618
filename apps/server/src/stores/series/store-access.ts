import { Problem } from '@tradewright/core/problem'
import type { AddressGuard } from '../../adapters/http/address-guard.ts'

/** The operator's rules for every store outside this machine. No storage is made without them. */
export interface StoreAccess {
  readonly guard: AddressGuard
  /** Whether a bucket without a key may use the cloud credentials of this machine. */
  readonly allowAmbientCredentials: boolean
  readonly limits: StoreLimits
}

export interface StoreLimits {
  readonly connectMs: number
  /** A whole operation that moves no file: a list, a text, a check. */
  readonly operationMs: number
  /** One statement in PostgreSQL, which may write a hundred thousand rows. */
  readonly queryMs: number
  /** A file may take `operationMs` and the time it needs at this speed. */
  readonly minBytesPerSecond: number
  /** Objects of one listing, rows of one query. */
  readonly maxListed: number
  /** An object that is read whole, unpacked. */
  readonly maxTextBytes: number
  /** A data file, whatever size it is said to have. */
  readonly maxFileBytes: number
  /** An answer that is neither a text nor a file, such as a page of a list: the main thread parses it whole. */
  readonly maxAnswerBytes: number
  /** An answer of a bucket that says why it refuses. */
  readonly maxErrorBytes: number
  /** Rows of one query, as they come from PostgreSQL. */
  readonly maxQueryBytes: number
}

const MEGABYTE = 1024 ** 2

export const storeLimits: StoreLimits = {
  connectMs: 3_000,
  operationMs: 60_000,
  queryMs: 120_000,
  minBytesPerSecond: 64 * 1024,
  maxListed: 500_000,
  maxTextBytes: 128 * MEGABYTE,
  maxFileBytes: 4096 * MEGABYTE,
  maxAnswerBytes: 2 * MEGABYTE,
  maxErrorBytes: 64 * 1024,
  maxQueryBytes: 512 * MEGABYTE,
}

/** Ends an operation that moves no file. */
export const operationSignal = ({ operationMs }: StoreLimits): AbortSignal => AbortSignal.timeout(operationMs)

/** Ends the transfer of a file of so many bytes. */
export const transferSignal = ({ operationMs, minBytesPerSecond }: StoreLimits, bytes: number): AbortSignal =>
  AbortSignal.timeout(operationMs + Math.ceil((bytes / minBytesPerSecond) * 1_000))

export type StoreType = 'local' | 's3' | 'gcs' | 'azure' | 'postgresql' | 'mongodb'

/** As the user typed it, in the spec's names. */
export type ConnectionConfig = Readonly<Record<string, unknown>>

export const requiredFields: Readonly<Record<StoreType, readonly string[]>> = {
  local: ['path'],
  s3: ['bucket', 'region'],
  gcs: ['gcs_bucket', 'project_id'],
  azure: ['account_name', 'account_key', 'container_name'],
  postgresql: ['host', 'database', 'username', 'password'],
  mongodb: ['mongo_host', 'mongo_database'],
}

export const defaultPorts = { postgresql: 5432, mongodb: 27_017 } as const

export const defaultCollectionPrefix = 'data_'

export function missingFields(type: StoreType, config: ConnectionConfig): string[] {
  return requiredFields[type].filter((field) => textOf(config, field) === undefined)
}

export function assertRequiredFields(type: StoreType, config: ConnectionConfig): void {
  const missing = missingFields(type, config)
  if (missing.length === 0) return
  throw new Problem('invalid', 'store.fields', `Please fill in required fields: ${missing.join(', ')}`)
}

/** Undefined for what is empty, so that a form may send every field it has. */
export function textOf(config: ConnectionConfig, field: string): string | undefined {
  const value = config[field]
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

export function requiredText(config: ConnectionConfig, field: string): string {
  const text = textOf(config, field)
  if (text === undefined) throw new Problem('invalid', 'store.fields', `Please fill in required fields: ${field}`)
  return text
}

export function portOf(config: ConnectionConfig, otherwise: number): number {
  const text = textOf(config, 'port')
  const port = text === undefined ? otherwise : Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new Problem('invalid', 'store.port', `"${text}" is not a port: it is a whole number from 1 to 65535.`)
}

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
