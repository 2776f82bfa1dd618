import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { StartupFailure } from '../../startup-failure.ts'
import { SealedSecretSchema, unsealSecret } from '../backup/sealed-secret.ts'
import type { Row } from './imported-tables.ts'

/** It is read as a whole. */
const MAX_BYTES = 256 * 1024 * 1024

const Envelope = z.object({
  application: z.literal('Tradewright'),
  schema: z.string().max(200).optional(),
  secrets: SealedSecretSchema.optional(),
  data: z.record(z.string().max(100), z.array(z.record(z.string().max(100), z.unknown()))),
})
const Owner = z.object({ id: z.int(), username_key: z.string(), created_at: z.string() })
/** By table, then by the row's id there. */
const Secrets = z.record(z.string(), z.record(z.string(), z.string()))

export interface UserExport {
  readonly schema: string | undefined
  /** Tells the user of that instance from all others, in every export of theirs. */
  readonly origin: string
  readonly userId: number
  readonly data: Readonly<Record<string, readonly Row[]>>
  /** Undefined: none in the file, or no passphrase. */
  readonly secrets: z.infer<typeof Secrets> | undefined
  readonly hasSealedSecrets: boolean
}

/** Reads an export of a user, whatever the file is. */
export async function readExport(file: string, passphrase: string | undefined): Promise<UserExport> {
  const { size } = await stat(file).catch((cause: unknown) => {
    throw new StartupFailure(`${file} cannot be read.`, { cause })
  })
  if (size > MAX_BYTES) throw new StartupFailure(`${file} is larger than ${MAX_BYTES / 1024 ** 2} MB.`)
  const envelope = Envelope.safeParse(parsedExactly(await readFile(file, 'utf8'), file))
  if (!envelope.success) throw notAnExport(file)
  const { schema, secrets, data } = envelope.data
  const owners = z.array(Owner).length(1).safeParse(data['users'])
  if (!owners.success) throw notAnExport(file)
  const [{ id, username_key, created_at }] = owners.data as [z.infer<typeof Owner>]
  const opened =
    secrets && passphrase !== undefined ? Secrets.parse(JSON.parse(await unsealSecret(secrets, passphrase))) : undefined
  return {
    schema,
    origin: createHash('sha256')
      .update(JSON.stringify([id, username_key, created_at]))
      .digest('hex'),
    userId: id,
    data,
    secrets: opened,
    hasSealedSecrets: secrets !== undefined,
  }
}

interface ExactJson {
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

/** Decimals stay as they are written: a binary float would round an amount of money. */
function parsedExactly(text: string, file: string): unknown {
  const exact = JSON as unknown as ExactJson
  try {
    return exact.parse(text, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined && String(value) !== source ? exact.rawJSON(source) : value,
    )
  } catch (cause) {
    throw notAnExport(file, cause)
  }
}

const notAnExport = (file: string, cause?: unknown): StartupFailure =>
  new StartupFailure(`${file} is not an export of a user's data.`, { cause })
