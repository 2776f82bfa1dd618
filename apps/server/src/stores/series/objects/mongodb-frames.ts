import { createRequire } from 'node:module'
import type { Transform, TransformCallback } from 'node:stream'

/** A server of MongoDB sends documents of up to 16 MB in messages of up to 48 MB. */
const MAX_MESSAGE_BYTES = 48_000_000
const HEADER_BYTES = 16
/** Up to and including `numberReturned`. */
const REPLY_HEADER_BYTES = 36
const OP_REPLY = 1
const OP_MSG = 2013

/**
 * Reads the heads of a server's messages as they pass. The driver buffers a message of any size, unpacks any compressed
 * one, and makes as many parts of an OP_REPLY as its head says, two thousand million if it likes: a reply of 41 bytes
 * from a hostile server filled the heap and ended the process.
 */
export class FrameCheck {
  readonly #head = Buffer.alloc(REPLY_HEADER_BYTES)
  #headBytes = 0
  #bodyBytes = 0

  /** The fault of a message that begins or goes on in these bytes; undefined when there is none. */
  add(chunk: Uint8Array): string | undefined {
    let at = 0
    while (at < chunk.length) {
      if (this.#bodyBytes > 0) {
        const passed = Math.min(this.#bodyBytes, chunk.length - at)
        this.#bodyBytes -= passed
        at += passed
        continue
      }
      this.#head[this.#headBytes++] = chunk[at++]!
      if (this.#headBytes < HEADER_BYTES) continue
      const problem = this.#checkHead()
      if (problem) return problem
    }
    return undefined
  }

  #checkHead(): string | undefined {
    const size = this.#head.readInt32LE(0)
    const operation = this.#head.readInt32LE(12)
    if (size <= HEADER_BYTES || size > MAX_MESSAGE_BYTES) return 'a message of an impossible size'
    if (operation === OP_REPLY) {
      if (size <= REPLY_HEADER_BYTES) return 'a reply without a document'
      if (this.#headBytes < REPLY_HEADER_BYTES) return undefined
      if (this.#head.readInt32LE(32) !== 1) return 'a reply with more than one document'
    } else if (operation !== OP_MSG) return 'a message of an unknown kind'
    this.#bodyBytes = size - this.#headBytes
    this.#headBytes = 0
    return undefined
  }
}

type Transforming = (this: Transform, chunk: Uint8Array, encoding: BufferEncoding, done: TransformCallback) => void

let isInstalled = false

/** Puts the check before the driver's own reader, which no option of it replaces. */
export function checkFramesOfDriver(): void {
  if (isInstalled) return
  isInstalled = true
  const { SizedMessageTransform } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
    SizedMessageTransform: { prototype: { _transform: Transforming } }
  }
  const { prototype } = SizedMessageTransform
  const { _transform: read } = prototype
  const checks = new WeakMap<Transform, FrameCheck>()
  const checked: Transforming = function checked(chunk, encoding, done) {
    const check = checks.get(this) ?? new FrameCheck()
    checks.set(this, check)
    const problem = check.add(chunk)
    if (problem) done(Object.assign(new Error(problem), { code: 'EANSWERTOOLARGE' }))
    else read.call(this, chunk, encoding, done)
  }
  Object.assign(prototype, { _transform: checked })
}
