import { createRequire } from 'node:module'
import type { Transform, TransformCallback } from 'node:stream'
import type { Document } from 'mongodb'
import { malformedAnswer } from '../driver-errors.ts'
import { bsonFault } from './bson-check.ts'
import { assertHarmless, harmlessError, maxAnswerBytes } from './mongodb-answers.ts'

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
  add(chunk: Uint8Array, maxBytes: number): string | undefined {
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
      const problem = this.#checkHead(maxBytes)
      if (problem) return problem
    }
    return undefined
  }

  #checkHead(maxBytes: number): string | undefined {
    const size = this.#head.readInt32LE(0)
    const operation = this.#head.readInt32LE(12)
    if (size <= HEADER_BYTES || size > maxBytes) return 'a message of an impossible size'
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

/** The driver's stream of messages. */
interface MessageStream extends Transform {
  readonly connection: object
}
type Transforming = (this: MessageStream, chunk: Uint8Array, encoding: BufferEncoding, done: TransformCallback) => void
type Sending = (this: object, namespace: unknown, command: Document, ...rest: unknown[]) => AsyncIterable<Document>

interface DriverClasses {
  readonly SizedMessageTransform: { prototype: { _transform: Transforming } }
  readonly Connection: { prototype: { sendCommand: Sending } }
}

/** An answer of the driver: its message without the head. */
interface Answer {
  readonly data: Buffer
}
interface AnswerClass {
  prototype: { parse: (this: Answer) => Uint8Array }
}

/** What each connection was asked last, until its answer is there. */
const asked = new WeakMap<object, Document>()
let isInstalled = false

/** Puts the checks before the driver's own reader and behind its parser, which no option of it replaces. */
export function checkAnswersOfDriver(): void {
  if (isInstalled) return
  isInstalled = true
  const driver = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as DriverClasses
  checkFrames(driver.SizedMessageTransform.prototype)
  checkDocuments(driver.Connection.prototype)
  const answers = createRequire(import.meta.url)('mongodb/lib/cmap/commands.js') as {
    OpReply: AnswerClass
    OpMsgResponse: AnswerClass
  }
  checkBytes(answers.OpReply, ({ data }) => data.subarray(REPLY_HEADER_BYTES - HEADER_BYTES))
  checkBytes(answers.OpMsgResponse, ({ data }) => (data[4] === 0 ? data.subarray(5) : Buffer.alloc(0)))
}

/** The driver would make an object of each of the millions of elements that 17 MB can hold, on the thread that answers everyone. */
function checkBytes({ prototype }: AnswerClass, documentOf: (answer: Answer) => Buffer): void {
  const { parse } = prototype
  prototype.parse = function checked() {
    const fault = bsonFault(documentOf(this))
    if (fault) throw malformedAnswer(fault)
    return parse.call(this)
  }
}

function checkFrames(prototype: DriverClasses['SizedMessageTransform']['prototype']): void {
  const { _transform: read } = prototype
  const checks = new WeakMap<Transform, FrameCheck>()
  const checked: Transforming = function checked(chunk, encoding, done) {
    const check = checks.get(this) ?? new FrameCheck()
    checks.set(this, check)
    const problem = check.add(chunk, maxAnswerBytes(asked.get(this.connection)))
    if (problem) done(Object.assign(new Error(problem), { code: 'EANSWERTOOLARGE' }))
    else read.call(this, chunk, encoding, done)
  }
  Object.assign(prototype, { _transform: checked })
}

function checkDocuments(prototype: DriverClasses['Connection']['prototype']): void {
  const { sendCommand: send } = prototype
  prototype.sendCommand = async function* checked(namespace, command, ...rest) {
    asked.set(this, command)
    try {
      for await (const answer of send.call(this, namespace, command, ...rest)) {
        assertHarmless(command, answer)
        yield answer
      }
    } catch (error) {
      throw harmlessError(error)
    } finally {
      asked.delete(this)
    }
  }
}
