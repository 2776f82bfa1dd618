import multipart from '@fastify/multipart'
import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorCode } from '../../system-error.ts'
import { isStorableText } from './storable.ts'

/** A thousand features with their parameters are some hundred kilobytes. */
const FIELD_BYTES = 1024 * 1024
/** What all fields of a form may have together. */
const FORM_CHARACTERS = 4 * 1024 * 1024
/** Tickers are repeated fields, and a list of them may be long. */
const MAX_FIELDS = 5_000

export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    limits: { fieldSize: FIELD_BYTES, fieldNameSize: 100, fields: MAX_FIELDS, parts: MAX_FIELDS },
  })
}

/** The parts of a multipart form. What the parser cannot read is the sender's mistake; refusals of ours pass. */
export async function* formParts(
  request: FastifyRequest,
  limits: Parameters<FastifyRequest['parts']>[0] = {},
): ReturnType<FastifyRequest['parts']> {
  try {
    yield* request.parts(limits)
  } catch (error) {
    throw formProblem(error)
  }
}

/** The framework's own errors have a code; those of the parser are sentences alone. */
export function formProblem(error: unknown): unknown {
  if (error instanceof Problem || errorCode(error) !== undefined) return error
  return new Problem('invalid', 'request.form', 'The form cannot be read.', { cause: error })
}

/** The text fields of a multipart form; names that end in `[]` hold lists. */
export async function formFields(request: FastifyRequest): Promise<Record<string, string | string[]>> {
  if (!request.isMultipart()) throw invalid('Send this call as a form (multipart/form-data).')
  const fields = new Map<string, string>()
  const lists = new Map<string, string[]>()
  let characters = 0
  try {
    for await (const part of formParts(request)) {
      const name = part.fieldname
      if (part.type === 'file') throw invalid(`${name} is a file, but this form takes none.`)
      const value = fieldText(part)
      characters += value.length
      if (characters > FORM_CHARACTERS) throw new Problem('too-large', 'request.size', 'The form is too large.')
      if (!name.endsWith('[]')) fields.set(name, value)
      else if (lists.has(name)) lists.get(name)!.push(value)
      else lists.set(name, [value])
    }
  } catch (error) {
    discardRest(request)
    throw error
  }
  return Object.fromEntries([...fields, ...lists])
}

interface FieldPart {
  readonly fieldname: string
  readonly value: unknown
  readonly valueTruncated: boolean
  readonly fieldnameTruncated: boolean
}

/** The text of a field, whole and storable. */
export function fieldText({ fieldname: name, value, valueTruncated, fieldnameTruncated }: FieldPart): string {
  if (valueTruncated || fieldnameTruncated) throw tooLong(name)
  if (typeof value !== 'string' || !isStorableText(value)) throw invalid(`${name} is not readable text.`)
  return value
}

/** After a refusal: what is still on its way is read and thrown away, so that it is not collected and the answer arrives. */
export function discardRest({ raw }: FastifyRequest): void {
  raw.unpipe()
  raw.resume()
}

const invalid = (sentence: string) => new Problem('invalid', 'request.form', sentence)
const tooLong = (name: string) => new Problem('too-large', 'request.size', `The field ${name} is too long.`)
