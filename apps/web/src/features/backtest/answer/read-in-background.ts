import type { Question } from './answer-worker.ts'
import { type Answers, readers, type Reading } from './read-answer.ts'

/** Up to here reading takes some milliseconds, less than starting a thread for it. */
const READ_AT_ONCE_BYTES = 1_000_000

/** Reads the answer of a call, a long one without holding up the page. The bytes are gone afterwards. */
export async function readAnswer<Kind extends keyof Answers>(
  kind: Kind,
  bytes: ArrayBuffer,
): Promise<Reading<Answers[Kind]>> {
  if (bytes.byteLength <= READ_AT_ONCE_BYTES) return readers[kind](bytes)
  const worker = new Worker(new URL('./answer-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Reading<Answers[Kind]>>) => resolve(data))
      worker.addEventListener('error', ({ message }) => reject(new Error(`the answer could not be read: ${message}`)))
      const question: Question = { kind, bytes }
      worker.postMessage(question, [bytes])
    })
  } finally {
    worker.terminate()
  }
}
