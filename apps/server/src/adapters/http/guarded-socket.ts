import { Socket } from 'node:net'
import type { AddressGuard } from './address-guard.ts'

/** A peer that sent more than any answer may have. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
  readonly code = 'EANSWERTOOLARGE'

  constructor(max: number, unit: 'bytes' | 'rows' = 'bytes') {
    super(`the answer has more than ${max} ${unit}`)
  }
}

/**
 * A socket for drivers that speak a protocol of questions and answers over TCP. It connects only where the guard
 * allows it, never to a socket file, and breaks when the peer sends more than `maxAnswerBytes` without being asked anew.
 */
export class GuardedSocket extends Socket {
  readonly #guard: AddressGuard

  constructor(guard: AddressGuard, maxAnswerBytes: number) {
    super()
    this.#guard = guard
    let received = 0
    this.on('data', (chunk) => {
      received = this.#asked ? chunk.length : received + chunk.length
      this.#asked = false
      if (received > maxAnswerBytes) this.destroy(new AnswerTooLarge(maxAnswerBytes))
    })
  }

  #asked = true

  override write(...args: unknown[]): boolean {
    this.#asked = true
    return (super.write as (...all: unknown[]) => boolean).apply(this, args)
  }

  /** Drivers call `connect(port, host)`. */
  override connect(...args: unknown[]): this {
    const [port, host] = args
    if (typeof port !== 'number' || typeof host !== 'string') return this.#refuse(new TypeError('a port and a host'))
    try {
      this.#guard.assertAllowed(host)
    } catch (error) {
      return this.#refuse(error as Error)
    }
    return super.connect({ port, host, lookup: this.#guard.lookup })
  }

  #refuse(error: Error): this {
    // The caller attaches its listeners after `connect`.
    process.nextTick(() => this.destroy(error))
    return this
  }
}
