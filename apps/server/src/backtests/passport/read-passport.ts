import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { deserialize, serialize } from 'node:v8'
import type { Passport } from './passport.ts'

/** A passport that was read on one compute thread, on its way to another. */
export interface ReadPassport {
  readonly request: BacktestRequest
  readonly isSynthetic: boolean
  /** Whether every series has its rows with it. */
  readonly hasRows: boolean
  /** Paths of values that are not those of the seal. */
  readonly broken: readonly string[]
  /** The whole passport, which the thread of requests hands on without looking into it: it may have 32 MB. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

export const handOver = (passport: Passport, broken: readonly string[]): ReadPassport => ({
  request: passport.request,
  isSynthetic: passport.series.every(({ synthetic }) => synthetic),
  hasRows: passport.series.every(({ data }) => data !== undefined),
  broken,
  // On a buffer of its own, which can be handed over.
  bytes: new Uint8Array(serialize(passport)),
})

export const takeOver = (bytes: Uint8Array): Passport => deserialize(bytes) as Passport
