import type { Server } from 'node:http'
import { acceptWebSockets, type StandInSocket } from '../web-socket.ts'
import type { StandInOrder } from './account-state.ts'
import { orderBody } from './answers.ts'

interface StreamKeys {
  readonly keyId: string
  readonly secretKey: string
}

/** Alpaca's `trade_updates`, honest unless a test says otherwise. */
export class TradeStream {
  /** Connections that were made so far, and those that listen now. */
  connections = 0
  readonly listeners = new Set<StandInSocket>()
  readonly #sockets = new Set<StandInSocket>()
  /** New connections are refused as if the keys were wrong. */
  refusesKeys = false
  /** Executions are not told. */
  isSilent = false

  constructor(server: Server, keys: StreamKeys) {
    acceptWebSockets(server, '/stream', (socket) => {
      this.connections++
      this.#sockets.add(socket)
      return (text) => this.#hear(socket, text, keys)
    })
  }

  /** As Alpaca tells an execution or an end: JSON in a binary frame. */
  tell(event: string, order: StandInOrder): void {
    if (this.isSilent) return
    this.say({ stream: 'trade_updates', data: { event, order: orderBody(order) } })
  }

  /** Sends any message to the listeners. */
  say(message: object | string): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    for (const socket of this.listeners) socket.send(Buffer.from(text))
  }

  /** Every line breaks. */
  cut(): void {
    for (const socket of this.#sockets) socket.cut()
    this.#sockets.clear()
    this.listeners.clear()
  }

  #hear(socket: StandInSocket, text: string, keys: StreamKeys): void {
    const { action, data } = JSON.parse(text) as { action: string; data: Record<string, unknown> }
    const answer = (stream: string, said: object) => socket.send(Buffer.from(JSON.stringify({ stream, data: said })))
    if (action === 'authenticate') {
      const isKnown = data['key_id'] === keys.keyId && data['secret_key'] === keys.secretKey && !this.refusesKeys
      answer('authorization', { status: isKnown ? 'authorized' : 'unauthorized', action })
    } else if (action === 'listen') {
      this.listeners.add(socket)
      answer('listening', { streams: data['streams'] })
    }
  }
}
