import { Binary, type Document, ObjectId } from 'mongodb'
import { z } from 'zod'
import { malformedAnswer } from '../driver-errors.ts'

/** As PostgreSQL's driver has it. MongoDB itself asks for 15,000. */
const MAX_SCRAM_ITERATIONS = 100_000
const KILOBYTE = 1024
const MAX_ANSWER_BYTES = 64 * KILOBYTE
const MAX_LIST_BYTES = 1024 * KILOBYTE
/** Documents end at 16 MB, and so do the pieces of a file that are sent together. */
const MAX_DATA_BYTES = 17 * 1024 * KILOBYTE

const isHello = (command: Document): boolean =>
  ['hello', 'ismaster', 'isMaster'].some((name) => command[name] !== undefined)

/** Bytes of the answer to a command. Only lists are longer than a few lines, and only data is large. */
export function maxAnswerBytes(command: Document | undefined): number {
  const collection: unknown = command?.['find'] ?? command?.['collection']
  if (command === undefined || typeof collection !== 'string') return MAX_ANSWER_BYTES
  const isData = collection.endsWith('.chunks') || (collection.endsWith('log') && command['singleBatch'] === true)
  return isData ? MAX_DATA_BYTES : MAX_LIST_BYTES
}

const Hosts = z.array(z.string()).nullish()
const TopologyVersion = z
  .object({
    processId: z.instanceof(ObjectId),
    counter: z.union([z.number(), z.bigint(), z.looseObject({ _bsontype: z.literal('Long') })]),
  })
  .nullish()

/** The fields that the driver uses without looking at their types, some of them where no caller sees its errors. */
const Hello = z.object({
  hosts: Hosts,
  passives: Hosts,
  arbiters: Hosts,
  me: z.string().nullish(),
  primary: z.string().nullish(),
  setName: z.string().nullish(),
  msg: z.string().nullish(),
  setVersion: z.number().nullish(),
  electionId: z.instanceof(ObjectId).nullish(),
  tags: z.record(z.string(), z.string()).nullish(),
  minWireVersion: z.number().nullish(),
  maxWireVersion: z.number().nullish(),
  logicalSessionTimeoutMinutes: z.number().nullish(),
  maxBsonObjectSize: z.number().nullish(),
  maxMessageSizeBytes: z.number().nullish(),
  maxWriteBatchSize: z.number().nullish(),
  saslSupportedMechs: z.array(z.string()).nullish(),
  compression: z.array(z.string()).nullish(),
  lastWrite: z.looseObject({ lastWriteDate: z.date().nullish() }).nullish(),
  topologyVersion: TopologyVersion,
  speculativeAuthenticate: z.looseObject({}).nullish(),
})

/** Throws before the driver acts on an answer that would harm this process. */
export function assertHarmless(command: Document, answer: Document): void {
  if (isHello(command) && !Hello.safeParse(answer).success) throw malformedAnswer('a hello of the wrong types')
  for (const challenge of [answer, answer['speculativeAuthenticate'] as Document | null | undefined]) {
    const payload: unknown = challenge?.['payload']
    if (payload !== undefined) assertShortDerivation(payload)
  }
}

/** The same for an error, which carries the fields of the answer. */
export function harmlessError(error: unknown): unknown {
  const { topologyVersion } = error as { topologyVersion?: unknown }
  return TopologyVersion.safeParse(topologyVersion).success ? error : malformedAnswer('an error of the wrong types')
}

/** A key that is being derived cannot be stopped and takes one of the few threads of this process. */
function assertShortDerivation(payload: unknown): void {
  if (!(payload instanceof Binary)) throw malformedAnswer('a challenge of the wrong type')
  for (const part of Buffer.from(payload.value()).toString('utf8').split(',')) {
    const isAllowed = !part.startsWith('i=') || Number.parseInt(part.slice(2), 10) <= MAX_SCRAM_ITERATIONS
    if (!isAllowed) throw malformedAnswer(`more than ${MAX_SCRAM_ITERATIONS} iterations of a key derivation`)
  }
}
