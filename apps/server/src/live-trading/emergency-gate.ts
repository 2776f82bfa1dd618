/** What was stopped: everything of a user, or one deployment. */
export type Stop = { readonly user: number } | { readonly deployment: string }

/**
 * The last door before the broker, in memory and on disk, asked synchronously before every order. A stop is a fact of the
 * database, which all processes look at; the door shuts first and stays shut until the fact is there, so that a stop
 * holds while the database is away and over a restart.
 */
export interface EmergencyGate {
  isClosed(deployment: { readonly userId: number; readonly orderKey: string }): boolean
  /** Shut at once in memory; throws when it could not be written to disk. */
  close(stop: Stop): void
  open(stop: Stop): void
  /** Stops that the database does not know yet. */
  waiting(): readonly Stop[]
}
