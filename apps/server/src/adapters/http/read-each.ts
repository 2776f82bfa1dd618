import { firstSeen } from '@tradewright/core/first-seen'
import { z } from 'zod'
import type { HttpLog } from './http-client.ts'

interface SentList {
  readonly service: string
  /** The list's name in the log, such as its path. */
  readonly list: string
  readonly elements: readonly unknown[]
}

/** A list that is polled complains about the same element at every poll: each complaint is one warning per process. */
const warnings = new WeakMap<HttpLog, (complaint: string) => boolean>()
/** Names of unexpected fields are the vendor's, so that complaints could be without end. */
const MAX_WARNED = 1_000

/**
 * Reads a vendor's list element by element. Elements of an unexpected form are left out and logged, so that one of them
 * (an option spread among plain orders) does not make the others unreadable.
 */
export function readEach<Schema extends z.ZodType>(schema: Schema, sent: SentList, log: HttpLog): z.output<Schema>[] {
  const read: z.output<Schema>[] = []
  for (const element of sent.elements) {
    const result = schema.safeParse(element)
    if (result.success) read.push(result.data)
    else tell(log, sent, result.error)
  }
  return read
}

/** The same for prices and catalogues: where no element is of the known form, the whole answer has changed. */
export function readMost<Schema extends z.ZodType>(schema: Schema, sent: SentList, log: HttpLog): z.output<Schema>[] {
  const read = readEach(schema, sent, log)
  return read.length === 0 && sent.elements.length > 0 ? z.array(schema).parse(sent.elements) : read
}

function tell(log: HttpLog, { service, list }: SentList, error: z.ZodError): void {
  const complaints = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  const key = [service, list, ...complaints].join('\n')
  const isFirst = warnings.get(log) ?? firstSeen(MAX_WARNED)
  warnings.set(log, isFirst)
  const write = isFirst(key) ? log.warn.bind(log) : log.debug.bind(log)
  write({ service, list, complaints }, 'an element of an unexpected form was left out of a list')
}
