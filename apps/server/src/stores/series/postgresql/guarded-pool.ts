import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { createRequire } from 'node:module'
import { AnswerTooLarge, GuardedSocket } from '../../../adapters/http/address-guard.ts'
import { surviveLostConnections } from '../../database.ts'
import type { StoreAccess, StoreLimits } from '../store-access.ts'
import type { PostgresqlSettings } from '../store-settings.ts'
import { malformedAnswer } from '../driver-errors.ts'

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

/** The longest message that is no row: an error may repeat the statement it is about. */
const MAX_MESSAGE_BYTES = 1024 ** 2
/** No statement of ours asks for more than 12. */
const MAX_COLUMNS = 64
const LENGTH_BYTES = 4
const COUNT_BYTES = 2
const ROW = 'D'
const ROW_DESCRIPTION = 'T'
const AUTHENTICATION = 'R'
const SASL_CONTINUE = 11
const ERROR_OR_NOTICE = 'EN'

type TakeMessage = (message: object) => void

/** What is used here of `pg-protocol`, which exports it without types for this purpose. */
interface MessageParser {
  parse(chunk: Buffer, take: TakeMessage): void
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): object
}

const requireOfPg = createRequire(createRequire(import.meta.url).resolve('pg'))
const { Parser } = requireOfPg('pg-protocol/dist/parser') as { Parser: new () => MessageParser }

/**
 * Lets the driver read no further than the end of a message. By itself it goes on into whatever lies behind, memory of
 * this process included, and reads an error without an end forever.
 */
class StrictParser extends Parser {
  #keyDerivations = 0

  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): object {
    if (length < LENGTH_BYTES) throw malformedAnswer('a message that is shorter than its head')
    const end = offset + length - LENGTH_BYTES
    this.#check(String.fromCharCode(code), bytes.subarray(offset, end))
    return super.handlePacket(offset, code, length, bytes.subarray(0, end))
  }

  #check(type: string, body: Buffer): void {
    if (type === ROW || type === ROW_DESCRIPTION) checkColumns(type, body)
    if (type !== ROW && body.length > MAX_MESSAGE_BYTES) throw malformedAnswer('a message that is too long')
    if (ERROR_OR_NOTICE.includes(type) && !isTerminated(body)) throw malformedAnswer('an error without an end')
    // Each makes the driver derive a key, which takes one of the few threads of this process.
    const derivesKey = type === AUTHENTICATION && body.readInt32BE(0) === SASL_CONTINUE
    if (derivesKey && ++this.#keyDerivations > 1) throw malformedAnswer('a second challenge')
  }
}

/** A field of a row has at least its length, also one that goes back in the message by a negative length. */
function checkColumns(type: string, body: Buffer): void {
  const count = body.readInt16BE(0)
  const hasRoom = type === ROW_DESCRIPTION || body.length >= COUNT_BYTES + count * LENGTH_BYTES
  if (count < 0 || count > MAX_COLUMNS || !hasRoom) throw malformedAnswer('an impossible number of columns')
}

/** Fields that each end with a zero, and a zero after the last. */
const isTerminated = (body: Buffer): boolean => body.at(-1) === 0 && (body.length === 1 || body.at(-2) === 0)

/** The driver's parser throws where no caller can catch it, which would end the process. */
function readMessages(stream: Duplex, take: TakeMessage): void {
  const parser = new StrictParser()
  stream.on('data', (chunk: Buffer) => {
    if (stream.destroyed) return
    try {
      parser.parse(chunk, take)
    } catch (error) {
      stream.destroy(malformedAnswer('a message that cannot be read', error))
    }
  })
}

/** The part of the driver's connection that hands messages on, called for a plain and for an encrypted stream. */
interface DriverConnection {
  attachListeners(stream: Duplex): void
  emit(event: string, message: object): boolean
}

/** A client for a server that is not trusted: what cannot be read ends its connection alone. */
class GuardedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const { connection } = this as unknown as { connection: DriverConnection }
    connection.attachListeners = (stream) =>
      readMessages(stream, (message) => {
        const { name } = message as { readonly name: string }
        connection.emit(name === 'error' ? 'errorMessage' : name, message)
      })
  }
}
