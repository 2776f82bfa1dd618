import type pg from 'pg'

/**
 * Connections break: the database restarts, fails over or runs out of room. The pool reports those that are idle, and
 * replaces them; one that is checked out reports it itself, besides failing the statement that is under way. An error
 * event without a listener would end the process.
 */
export function surviveLostConnections(pool: pg.Pool, onIdleLost: (error: Error) => void = () => {}): pg.Pool {
  pool.on('error', onIdleLost)
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
