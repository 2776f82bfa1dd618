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
