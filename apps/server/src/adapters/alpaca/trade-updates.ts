import { MINUTE, SECOND } from '@tradewright/core/time'
import type { HttpLog } from '../http/http-client.ts'
import type { AlpacaKeys } from './http.ts'

interface StreamAddress {
  /** The trading API's address, with http; the stream is below it. */
  readonly baseUrl: string
  readonly keys: AlpacaKeys
}

interface TradeUpdatesOptions {
  /** Asked for at every connection, since keys may be replaced. Undefined where there is nothing to listen to. */
  readonly address: () => Promise<StreamAddress | undefined>
  /** Something may have happened in the account. The stream's own data is not used. */
  readonly onNews: () => void
  readonly log: HttpLog
  /** How long to wait before the nth try in a row. */
  readonly pauseBefore?: (attempt: number) => number
  /** How long it may take until Alpaca says that it lets us listen. */
  readonly handshakeMs?: number
}

const MAX_PAUSE = 2 * MINUTE
const HANDSHAKE_MS = 15 * SECOND
/** A message about one order has a few kilobytes. */
const MAX_MESSAGE_BYTES = 1024 * 1024

/** A second, two, four …, with a part left to chance so that many accounts do not knock at the same moment. */
const backOff = (attempt: number): number =>
  Math.min(MAX_PAUSE, SECOND * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2)

/**
 * Listens to Alpaca's `trade_updates` and reconnects whenever the connection breaks, with growing pauses. It only
 * signals: every message about a trade, and every new connection, which may have missed some, is a reason to poll the
 * account. Answers how to stop it.
 */
export function watchTradeUpdates(options: TradeUpdatesOptions): () => void {
  const { address, onNews, log, pauseBefore = backOff, handshakeMs = HANDSHAKE_MS } = options
  let socket: WebSocket | undefined
  let timer: NodeJS.Timeout | undefined
  let attempt = 0
  let isStopped = false

  const again = (reason: string) => {
    if (isStopped) return
    const pause = pauseBefore(++attempt)
    log.debug({ service: 'alpaca', reason, attempt, pause }, 'trade updates: connecting again later')
    timer = setTimeout(() => void connect(), pause).unref()
  }

  const connect = async (): Promise<void> => {
    try {
      const found = await address()
      if (found && !isStopped) socket = open(found)
    } catch (error) {
      again(error instanceof Error ? error.message : String(error))
    }
  }

  const open = ({ baseUrl, keys }: StreamAddress): WebSocket => {
    const opened = new WebSocket(streamOf(baseUrl))
    opened.binaryType = 'arraybuffer'
    const giveUp = setTimeout(() => opened.close(), handshakeMs).unref()
    const send = (message: object) => opened.send(JSON.stringify(message))
    opened.addEventListener('open', () =>
      send({ action: 'authenticate', data: { key_id: keys.keyId, secret_key: keys.secretKey } }),
    )
    opened.addEventListener('message', ({ data }) => {
      if (sizeOf(data) > MAX_MESSAGE_BYTES) {
        opened.close()
        return
      }
      const heard = hear(data)
      if (heard === 'listening') clearTimeout(giveUp)
      if (heard === 'authorized') send({ action: 'listen', data: { streams: ['trade_updates'] } })
      if (heard === 'unauthorized') opened.close()
      if (heard === 'listening') attempt = 0
      if (heard === 'listening' || heard === 'trade') onNews()
    })
    opened.addEventListener('close', ({ code }) => {
      clearTimeout(giveUp)
      again(`closed (${code})`)
    })
    return opened
  }

  void connect()
  return () => {
    isStopped = true
    clearTimeout(timer)
    socket?.close()
  }
}

function streamOf(baseUrl: string): URL {
  const url = new URL(`${baseUrl}/stream`)
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:'
  return url
}

const sizeOf = (data: unknown): number =>
  typeof data === 'string' ? data.length : data instanceof ArrayBuffer ? data.byteLength : 0

type StreamedText = 'authorized' | 'unauthorized' | 'listening' | 'trade' | 'nothing'

/** JSON, in text or, as Alpaca does it, in binary. Anything else is noise. */
function hear(data: unknown): StreamedText {
  try {
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data as ArrayBuffer)
    const { stream, data: said } = JSON.parse(text) as { stream?: unknown; data?: { status?: unknown } | null }
    if (stream === 'authorization') return said?.status === 'authorized' ? 'authorized' : 'unauthorized'
    if (stream === 'listening') return 'listening'
    return stream === 'trade_updates' ? 'trade' : 'nothing'
  } catch {
    return 'nothing'
  }
}
