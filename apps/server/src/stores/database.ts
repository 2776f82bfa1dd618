import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { Problem } from '@tradewright/core/problem'
import { connectionLane, type ConnectionLane } from '../connection-lane.ts'
import { databaseOutage } from '../database-failure.ts'
import type { Logger } from '../log.ts'
import type { Tables } from './tables.ts'
import { errorCode } from '../system-error.ts'

/** The error code of the trigger that limits the rows of an owner. */
const TOO_MANY_ROWS = 'TWROW'

const DELETE = 'Delete some that you no longer need.'

/** By the tables that have such a trigger. */
export const LIMITED_ROWS: Readonly<Record<string, { readonly words: string; readonly cure: string }>> = {
  strategies: { words: 'saved strategies', cure: DELETE },
  ticker_lists: { words: 'ticker lists', cure: DELETE },
  saved_queries: { words: 'saved queries', cure: DELETE },
  collection_jobs: { words: 'collection jobs', cure: DELETE },
  custom_providers: { words: 'custom providers', cure: DELETE },
  data_stores: { words: 'data stores', cure: DELETE },
  brokerage_accounts: { words: 'brokerage accounts', cure: DELETE },
  deployments: { words: 'deployments', cure: DELETE },
  optimization_runs: { words: 'optimizer runs', cure: DELETE },
  parameter_studies: { words: 'parameter studies', cure: DELETE },
  portfolio_constructions: { words: 'searches for better weights', cure: DELETE },
  factor_files: { words: 'factor files', cure: DELETE },
  conversations: { words: 'conversations', cure: DELETE },
  conversation_messages: { words: 'messages in a conversation', cure: 'Begin a new one.' },
  backtests: { words: 'saved backtests', cure: DELETE },
}

/** The refusal of a row too many as a Problem; any other failure as it is. */
function withRowLimit(error: unknown): unknown {
  if (errorCode(error) !== TOO_MANY_ROWS) return error
  const { table, detail } = error as { table?: string; detail?: string }
  const { words, cure } = LIMITED_ROWS[table ?? ''] ?? { words: 'entries of this kind', cure: DELETE }
  return new Problem(
    'conflict',
    'rows.limit',
    `At most ${Number(detail).toLocaleString('en-US')} ${words} are allowed. ${cure}`,
  )
}

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

/** Beside those of calls and jobs. Unused ones are closed after ten seconds. */
const RESERVED = { trading: 8, stop: 4, health: 1 } as const satisfies Record<ConnectionLane, number>

export function connectDatabase(url: string, log: Logger, connections = 20): DatabaseConnection {
  let isClosing = false
  const watched = <Pool extends pg.Pool>(pool: Pool): Pool => {
    pool.on('connect', prepareClient)
    surviveLostConnections(pool, (error) => {
      // Closing a pool does not wait for its idle connections: the server that stops next may cut them off first.
      if (!isClosing) log.warn({ reason: error.message }, 'a database connection was lost')
    })
    return pool
  }
  const settings = (max: number, name = 'tradewright'): pg.PoolConfig => ({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: name,
  })
  const reserved = (lane: ConnectionLane) => watched(new pg.Pool(settings(RESERVED[lane], `tradewright-${lane}`)))
  const lanes = { trading: reserved('trading'), stop: reserved('stop'), health: reserved('health') }
  const pool = watched(new PoolWithLanes(settings(connections), lanes))
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const close = async () => {
    isClosing = true
    await database.destroy()
  }
  return { database, pool, close }
}

/** Hands out connections of the lane that asks, else its own. */
class PoolWithLanes extends pg.Pool {
  readonly #lanes: Readonly<Record<ConnectionLane, pg.Pool>>

  constructor(settings: pg.PoolConfig, lanes: Readonly<Record<ConnectionLane, pg.Pool>>) {
    super(settings)
    this.#lanes = lanes
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    const lane = connectionLane()
    const connected = lane === undefined ? super.connect() : this.#lanes[lane].connect()
    const answered = connected.catch((error: unknown) => {
      throw databaseOutage(error) ?? error
    })
    if (!callback) return answered
    answered.then(
      (client) => callback(undefined, client, (release) => client.release(release)),
      (error: Error) => callback(error, undefined, () => {}),
    )
  }

  override async end(): Promise<void> {
    await Promise.all([super.end(), ...Object.values(this.#lanes).map((lane) => lane.end())])
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void

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

/** A transaction of its own, or a part of the one that is going on. */
export const withinTransaction = <Result>(
  database: Database | DatabaseTransaction,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> =>
  database.isTransaction ? work(database as DatabaseTransaction) : database.transaction().execute(work)

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
