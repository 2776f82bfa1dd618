import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Logger } from '../log.ts'
import { surviveLostConnections } from './lost-connections.ts'
import { withRowLimit } from './row-limit.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>
export type DatabaseTransaction = Transaction<Tables>

/** Whole numbers of the database fit a double as long as we count things, not atoms. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
/** A date without a time has no time zone: it stays the text YYYY-MM-DD. */
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

export interface DatabaseConnection {
  database: Database
  pool: pg.Pool
  close(): Promise<void>
}

export function connectDatabase(url: string, log: Logger, connections = 20): DatabaseConnection {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'tradewright',
  })
  pool.on('connect', prepareClient)
  let isClosing = false
  surviveLostConnections(pool, (error) => {
    // Closing a pool does not wait for its idle connections: the server that stops next may cut them off first.
    if (!isClosing) log.warn({ reason: error.message }, 'a database connection was lost')
  })
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const close = async () => {
    isClosing = true
    await database.destroy()
  }
  return { database, pool, close }
}

/** `/* prepared: name *\/` in front of a statement. */
const NAMED = /^\s*\/\* prepared: ([\w-]+) \*\//

type Query = (statement: unknown, ...rest: unknown[]) => unknown

/**
 * Statements that say their name are parsed and planned once per connection: for questions that are asked all the time.
 * A row too many is told as a Problem, whatever part of the program adds it.
 */
function prepareClient(client: pg.PoolClient | pg.Client): void {
  const query = client.query.bind(client) as Query
  const named: Query = (statement, ...rest) => {
    const name = typeof statement === 'string' ? NAMED.exec(statement)?.[1] : undefined
    if (name === undefined) return query(statement, ...rest)
    const [values, ...callback] = rest
    return query({ name, text: statement, values }, ...callback)
  }
  const preparing: Query = (statement, ...rest) => {
    const answer = named(statement, ...rest)
    if (!(answer instanceof Promise)) return answer
    return answer.catch((error: unknown) => {
      throw withRowLimit(error)
    })
  }
  client.query = preparing as typeof client.query
}
