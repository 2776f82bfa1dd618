import pg from 'pg'
import { StartupFailure } from '../../startup-failure.ts'

/** A connection of its own, which the caller ends. */
export async function connectClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'tradewright command' })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (cause) {
    const reason = cause instanceof AggregateError ? String(cause.errors[0]) : (cause as Error).message
    throw new StartupFailure(`The database cannot be reached: ${reason}.`, { cause })
  }
}

/** Whether a program works on the database: each process of the program has one connection for messages. */
export async function hasPrograms(url: string): Promise<boolean> {
  const client = await connectClient(url)
  try {
    const { rows } = await client.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
         AND application_name = 'tradewright notifications') AS found`,
    )
    return rows[0]!.found
  } finally {
    await client.end()
  }
}
