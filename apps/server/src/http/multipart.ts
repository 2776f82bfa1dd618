import multipart from '@fastify/multipart'
import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isStorableText } from './storable.ts'

/** A thousand features with their parameters are some hundred kilobytes. */
const FIELD_BYTES = 1024 * 1024
/** Tickers are repeated fields. */
const MOST_FIELDS = 5_000

export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    limits: { fieldSize: FIELD_BYTES, fieldNameSize: 100, fields: MOST_FIELDS, parts: MOST_FIELDS },
  })
}

/** The text fields of a multipart form; names that end in `[]` hold lists. */
export async function formFields(request: FastifyRequest): Promise<Record<string, string | string[]>> {
  if (!request.isMultipart()) throw invalid('Send this call as a form (multipart/form-data).')
  const fields = new Map<string, string>()
  const lists = new Map<string, string[]>()
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      part.file.resume()
      throw invalid(`${part.fieldname} is a file; this form has none.`)
    }
    const { fieldname: name, value } = part
    if (part.valueTruncated || part.fieldnameTruncated) throw tooLong(name)
    if (typeof value !== 'string' || !isStorableText(value)) throw invalid(`${name} is not readable text.`)
    if (!name.endsWith('[]')) fields.set(name, value)
    else if (lists.has(name)) lists.get(name)!.push(value)
    else lists.set(name, [value])
  }
  return Object.fromEntries([...fields, ...lists])
}

const invalid = (sentence: string) => new Problem('invalid', 'request.form', sentence)
const tooLong = (name: string) => new Problem('too-large', 'request.size', `The field ${name} is too long.`)
