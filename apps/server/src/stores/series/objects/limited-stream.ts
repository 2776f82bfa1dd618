import { createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AnswerTooLarge } from '../../../adapters/http/guarded-socket.ts'

/** Passes on up to so many bytes and breaks at the next one. */
export function byteLimit(maxBytes: number): Transform {
  let received = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      received += chunk.length
      if (received > maxBytes) done(new AnswerTooLarge(maxBytes))
      else done(null, chunk)
    },
  })
}

export async function readWhole(body: Readable, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  await pipeline(
    body,
    byteLimit(maxBytes),
    async (limited: AsyncIterable<Buffer>) => {
      for await (const chunk of limited) chunks.push(chunk)
    },
    { signal },
  )
  return Buffer.concat(chunks)
}

/** Writes a file of exactly known size; one that is longer breaks off. */
export const saveLimited = (body: Readable, localPath: string, maxBytes: number, signal: AbortSignal): Promise<void> =>
  pipeline(body, byteLimit(maxBytes), createWriteStream(localPath), { signal })
