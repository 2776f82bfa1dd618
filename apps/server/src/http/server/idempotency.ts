import { Problem } from '@tradewright/core/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import type { IdempotentCalls, NamedCall } from '../../jobs/idempotent-calls.ts'
import { jsonSlices } from '../answer/json-slices.ts'
import { readingPlaces } from './reading-places.ts'

const KEY = /^[\x21-\x7e]{1,255}$/
/** Packed. A result of ten years of daily bars has a tenth of it. */
const MAX_RETAINED_BYTES = 8 * 1024 * 1024

/** Stored answers that are being read: each holds up to 8 MB until it is sent. */
const reservePlace = readingPlaces({ each: 4, all: 32 })

interface Call {
  userId: number
  request: FastifyRequest
  reply: FastifyReply
  /** As it was understood, so that spaces and left out defaults make no other request. */
  body: unknown
}

/**
 * Answers a call with an `Idempotency-Key`, as JSON: what it answered the first time, or what it answers now. After a
 * refusal the key can be used again; after an unexpected failure not, since the work may have been done.
 */
export async function answerOnce(
  calls: IdempotentCalls,
  { userId, request, reply, body }: Call,
  answer: () => Promise<unknown>,
): Promise<Readable> {
  const call: NamedCall = { userId, key: keyOf(request), fingerprint: fingerprintOf(request, body) }
  const earlier = await calls.begin(call)
  if (earlier) {
    reservePlace(userId, reply)
    void reply.header('idempotency-replayed', 'true')
    // Unpacked while it is read: a reader that stops holds the packed bytes alone.
    const unpacked = createGunzip()
    unpacked.end(earlier)
    return unpacked
  }
  const json = await answer().then(toJson, async (error: unknown) => {
    if (error instanceof Problem) await calls.forget(call)
    throw error
  })
  const packed = await promisify(gzip)(json)
  await calls.finish(call, packed.length > MAX_RETAINED_BYTES ? null : packed)
  return Readable.from([json])
}

function keyOf({ headers }: FastifyRequest): string {
  const key = headers['idempotency-key']
  if (typeof key === 'string' && KEY.test(key)) return key
  const sentence = 'The Idempotency-Key must have 1 to 255 letters, digits or signs, without spaces.'
  throw new Problem('invalid', 'idempotency.key', sentence)
}

function fingerprintOf({ method, url }: FastifyRequest, body: unknown): Buffer {
  const text = JSON.stringify([method, url, body ?? null], inOrder)
  return createHash('sha256').update(text).digest()
}

/** The order of names in an object says nothing. */
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

async function toJson(value: unknown): Promise<Buffer> {
  const slices: Buffer[] = []
  for await (const slice of jsonSlices(value)) slices.push(Buffer.from(slice))
  return Buffer.concat(slices)
}
