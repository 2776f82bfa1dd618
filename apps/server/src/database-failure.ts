import { Problem } from '@tradewright/core/problem'
import { errorCode } from './system-error.ts'

/** An operator's matter that a user can only wait for. */
interface Outage {
  code: string
  sentence: string
  retryAfterSeconds: number
}

const AWAY: Outage = {
  code: 'database.away',
  sentence: 'The database cannot be reached right now. Please try again in a moment.',
  retryAfterSeconds: 5,
}
/** It is there, and does so much for others that this has to wait. */
const BUSY: Outage = {
  code: 'database.busy',
  sentence: 'The server is busy: the database has too much to do right now. Please try again in a moment.',
  retryAfterSeconds: 5,
}
const NO_ROOM: Outage = {
  code: 'database.full',
  sentence: 'The disk of the database is full, so nothing can be saved until the operator frees some space.',
  retryAfterSeconds: 60,
}
const NO_MEMORY: Outage = {
  code: 'database.memory',
  sentence: 'The database has no memory left for this. Please try again in a minute.',
  retryAfterSeconds: 60,
}
const DISK_FAULT: Outage = {
  code: 'database.disk',
  sentence: 'The database cannot read or write its files. The operator has to check its disk.',
  retryAfterSeconds: 60,
}

/** By the code of the system or of PostgreSQL (SQLSTATE): https://www.postgresql.org/docs/18/errcodes-appendix.html */
const OUTAGES: Readonly<Record<string, Outage>> = {
  ECONNREFUSED: AWAY,
  ECONNRESET: AWAY,
  EPIPE: AWAY,
  ETIMEDOUT: AWAY,
  ENOTFOUND: AWAY,
  EAI_AGAIN: AWAY,
  EHOSTUNREACH: AWAY,
  ENETUNREACH: AWAY,
  // A failover may leave us connected to a server that only reads.
  '25006': AWAY,
  '53100': NO_ROOM,
  '53200': NO_MEMORY,
  '53300': BUSY,
  '57P01': AWAY,
  '57P02': AWAY,
  '57P03': AWAY,
  '57P05': AWAY,
  '58030': DISK_FAULT,
}
/** Class 08: connection exceptions. */
const isConnectionException = (code: string) => /^08\w{3}$/.test(code)

const CODES: ReadonlySet<string> = new Set([AWAY, BUSY, NO_ROOM, NO_MEMORY, DISK_FAULT].map(({ code }) => code))

/** All connections of a pool were in use until the time for waiting was over. */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect'

/** The driver gives no code for what it notices itself. */
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/

/** The database cannot do its work at present; undefined when the error is about something else. */
export function databaseOutage(error: unknown): Problem | undefined {
  if (error instanceof Problem && CODES.has(error.code)) return error
  const outage = outageOf(error)
  if (!outage) return undefined
  const { code, sentence, retryAfterSeconds } = outage
  return new Problem('unavailable', code, sentence, { cause: error, retryAfterSeconds })
}

function outageOf(error: unknown): Outage | undefined {
  if (!(error instanceof Error)) return undefined
  const code = errorCode(error)
  if (code !== undefined) return OUTAGES[code] ?? (isConnectionException(code) ? AWAY : undefined)
  if (error.message === POOL_EXHAUSTED) return BUSY
  return DRIVER_MESSAGES.test(error.message) ? AWAY : undefined
}
