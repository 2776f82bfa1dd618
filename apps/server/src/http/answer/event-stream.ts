import type { FastifyReply } from 'fastify'

/** More unsent bytes than this mean that the client does not read: it is disconnected and connects again. */
const UNSENT_LIMIT_BYTES = 256 * 1024
/** A browser's pause before it connects again. */
const RETRY_MS = 2_000

/** One open answer of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class EventStream {
  readonly #reply: FastifyReply
  #lastId = 0

  /** Takes the answer out of the framework's hands: nothing may compress or collect what is written. */
  constructor(reply: FastifyReply) {
    this.#reply = reply
    reply.hijack()
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // Read by nginx, which otherwise holds events back.
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
    })
    // The id makes a browser that lost the connection say so when it comes back.
    this.#write(`retry: ${RETRY_MS}\nid: ${this.#lastId}\n\n`)
  }

  send(event: string, data: object): void {
    this.#lastId += 1
    this.#write(`id: ${this.#lastId}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** A comment: keeps proxies from closing an idle connection. */
  beat(): void {
    this.#write(': still here\n\n')
  }

  onClose(listener: () => void): void {
    this.#reply.raw.once('close', listener)
  }

  end(): void {
    this.#reply.raw.end()
  }

  #write(text: string): void {
    const { raw } = this.#reply
    if (raw.writableEnded || raw.destroyed) return
    if (raw.writableLength > UNSENT_LIMIT_BYTES) raw.destroy()
    else raw.write(text)
  }
}
