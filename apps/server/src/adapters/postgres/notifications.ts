import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../../log.ts'

/** Messages between the processes that share a database. Not stored: who is not listening misses them. */
export interface Notifications {
  /** `onMessage` gets each payload; `onGap` is called when messages may have been missed. */
  listen(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<void>
  publish(channel: string, payload: string): Promise<void>
  /** False while the connection is down, so that no caller relies on messages that cannot arrive. */
  isListening(): boolean
  close(): Promise<void>
}

interface Listener {
  onMessage(payload: string): void
  onGap(): void
}

/** PostgreSQL's LISTEN on a connection of its own, which is opened again when it breaks. Payloads up to 7,999 bytes. */
export async function connectNotifications(url: string, pool: pg.Pool, log: Logger): Promise<Notifications> {
  const listeners = new Map<string, Listener[]>()
  let client: pg.Client | undefined
  let isClosed = false

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: 'tradewright notifications',
    })
    next.on('error', () => {})
    next.on('notification', ({ channel, payload }) => {
      for (const listener of listeners.get(channel) ?? []) listener.onMessage(payload ?? '')
    })
    await next.connect()
    try {
      for (const channel of listeners.keys()) await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
    next.once('end', () => {
      client = undefined
      if (!isClosed) void reconnect()
    })
    client = next
  }

  async function reconnect(): Promise<void> {
    for (let wait = 100; ; wait = Math.min(wait * 2, 5_000)) {
      if (isClosed) return
      try {
        await connect()
        for (const all of listeners.values()) for (const listener of all) listener.onGap()
        return
      } catch (error) {
        log.debug({ reason: (error as Error).message }, 'notifications: still no connection')
        await pause(wait)
      }
    }
  }

  await connect()
  return {
    async listen(channel, onMessage, onGap = () => {}) {
      const known = listeners.get(channel)
      if (known) known.push({ onMessage, onGap })
      else {
        listeners.set(channel, [{ onMessage, onGap }])
        await client?.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
      }
    },
    async publish(channel, payload) {
      await pool.query('SELECT pg_notify($1, $2)', [channel, payload])
    },
    isListening: () => client !== undefined,
    async close() {
      isClosed = true
      await client?.end()
    },
  }
}
