import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { AnswerTooLarge, GuardedSocket } from '../../../adapters/http/guarded-socket.ts'
import { surviveLostConnections } from '../../lost-connections.ts'
import type { StoreAccess, StoreLimits } from '../store-access.ts'
import type { PostgresqlSettings } from '../store-settings.ts'
import { GuardedClient } from './guarded-client.ts'

/** Connections to a PostgreSQL of the user's, each through the guard, with bounds on time and bytes. */
export function guardedPool(settings: PostgresqlSettings, access: StoreAccess, connections = 4): pg.Pool {
  const { host, port, database, username, password, ssl } = settings
  const { guard, limits } = access
  const pool = new pg.Pool({
    Client: GuardedClient,
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
  pool.on('connect', (client) => limitAnswers(client, limits))
  return surviveLostConnections(pool)
}

/**
 * Counts rows, because an empty one of 11 bytes takes ten times that in memory, and the bytes that an encrypted
 * connection brings, which the socket below it does not see.
 */
function limitAnswers(client: pg.PoolClient, { maxListed, maxQueryBytes }: StoreLimits): void {
  const { connection } = client as unknown as { connection: EventEmitter & { stream: Duplex } }
  const { stream } = connection
  let received = { rows: 0, bytes: 0 }
  connection.on('readyForQuery', () => {
    received = { rows: 0, bytes: 0 }
  })
  connection.on('dataRow', () => {
    if (++received.rows > maxListed) stream.destroy(new AnswerTooLarge(maxListed, 'rows'))
  })
  if (stream instanceof GuardedSocket) return
  stream.on('data', (chunk: Buffer) => {
    received.bytes += chunk.length
    if (received.bytes > maxQueryBytes) stream.destroy(new AnswerTooLarge(maxQueryBytes))
  })
}
