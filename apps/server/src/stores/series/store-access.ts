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
