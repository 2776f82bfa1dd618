import type { Actor } from '../actor.ts'

/** Everything of a user, or one deployment. */
export type Stop = { readonly user: number } | { readonly deployment: string }

type RequestedStop = Stop & { readonly by?: Actor | undefined }

/**
 * The last check before the broker, in memory and on disk, asked synchronously before every order. A stop is recorded
 * in the database, which all processes read; the gate closes first and stays closed until the record is there, so that
 * a stop holds while the database is away and over a restart.
 */
export interface EmergencyGate {
  isClosed(deployment: { readonly userId: number; readonly orderKey: string }): boolean
  /** Shut at once in memory; throws when it could not be written to disk. */
  close(stop: RequestedStop): void
  open(stop: Stop): void
  /** Stops that the database does not know yet. */
  waiting(): readonly RequestedStop[]
}
