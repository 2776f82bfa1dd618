import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { AnswerTooLarge, GuardedSocket } from '../../../adapters/http/guarded-socket.ts'
import { surviveLostConnections } from '../../lost-connections.ts'
import type { StoreAccess } from '../store-access.ts'
import type { PostgresqlSettings } from '../store-settings.ts'

/** Connections to a PostgreSQL of the user's, each through the guard, with bounds on time and bytes. */
export function guardedPool(settings: PostgresqlSettings, access: StoreAccess, connections = 4): pg.Pool {
  const { host, port, database, username, password, ssl } = settings
  const { guard, limits } = access
  const pool = new pg.Pool({
    host,
    port,
    database,
    user: username,
    password,
    ssl,
    // The name stays the one that a certificate is compared with; the socket connects to the address it checked.
    stream: () => new GuardedSocket(guard, limits.maxQueryBytes),
    max: connections,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.queryMs,
    application_name: 'tradewright',
  })
  pool.on('connect', (client) => limitAnswers(client, limits.maxQueryBytes))
  return surviveLostConnections(pool)
}

/** Counts what an encrypted connection brings, which the socket below it does not see. */
function limitAnswers(client: pg.PoolClient, maxBytes: number): void {
  const { connection } = client as unknown as { connection: EventEmitter & { stream: Duplex } }
  const { stream } = connection
  if (stream instanceof GuardedSocket) return
  let received = 0
  connection.on('readyForQuery', () => {
    received = 0
  })
  stream.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > maxBytes) stream.destroy(new AnswerTooLarge(maxBytes))
  })
}
