import { Problem } from '@tradewright/core/problem'
import type { FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { z } from 'zod'
import { errorCode } from '../../system-error.ts'
import { discardRest, fieldText, formParts, formProblem } from './multipart.ts'
import { isStorable, nameWithControls } from './storable.ts'
import { sentenceFor } from './sentence.ts'

interface UploadForm<Fields extends z.ZodType> {
  readonly fields: Fields
  /** The name of the file's field. */
  readonly file: string
  readonly maxBytes: number
}

const MAX_FIELDS = 20

/** Streams the file of a form into `folder` and hands it over by its path; it is deleted when `use` has ended. */
export async function withUpload<Fields extends z.ZodType, Result>(
  request: FastifyRequest,
  folder: string,
  form: UploadForm<Fields>,
  use: (path: string, fields: z.output<Fields>) => Promise<Result>,
): Promise<Result> {
  if (!request.isMultipart()) throw invalid('Send the file as multipart/form-data.')
  // Refused before it is sent, where the client says how much it is; the fields are the rest.
  if (Number(request.headers['content-length']) > form.maxBytes + 1024 * 1024) throw tooLarge(form.maxBytes)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${randomUUID()}.upload`)
  try {
    const sent = await receive(request, path, form)
    const parsed = form.fields.safeParse(sent)
    if (!parsed.success) throw invalid(sentenceFor(parsed.error))
    if (!isStorable(parsed.data)) throw invalid('The request contains characters that cannot be stored.')
    const name = nameWithControls(parsed.data)
    if (name !== undefined) throw invalid(`${name} must not contain control characters or line breaks.`)
    return await use(path, parsed.data)
  } catch (error) {
    discardRest(request)
    throw error
  } finally {
    await rm(path, { force: true })
  }
}

const STALE_AFTER_MS = 24 * 60 * 60_000

/** Files of uploads during which the program was killed. */
export async function removeStaleUploads(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (mtimeMs < now - STALE_AFTER_MS) await rm(path, { force: true })
  }
}

/** The fields that were filled in. */
async function receive<Fields extends z.ZodType>(
  request: FastifyRequest,
  path: string,
  { file, maxBytes }: UploadForm<Fields>,
): Promise<Record<string, string>> {
  const sent = new Map<string, string>()
  let hasFile = false
  const limits = { files: 1, fields: MAX_FIELDS, parts: MAX_FIELDS + 1, fileSize: maxBytes, fieldSize: 100_000 }
  for await (const part of formParts(request, { limits })) {
    if (part.type === 'field') {
      const text = fieldText(part)
      if (text !== '') sent.set(part.fieldname, text)
      continue
    }
    if (part.fieldname !== file) throw invalid(`The file field must be called ${file}.`)
    await pipeline(part.file, createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch(explainFailure)
    if (part.file.truncated) throw tooLarge(maxBytes)
    hasFile = true
  }
  if (!hasFile) throw invalid('A file is required.')
  return Object.fromEntries(sent)
}

function explainFailure(error: unknown): never {
  if (!DISK_FULL.has(errorCode(error) ?? '')) throw formProblem(error)
  const sentence = 'The server has no room left for the file. Nothing was imported.'
  throw new Problem('unavailable', 'upload.disk-full', sentence, { cause: error })
}

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT'])

const invalid = (sentence: string) => new Problem('invalid', 'upload.invalid', sentence)
const tooLarge = (maxBytes: number) =>
  new Problem('too-large', 'upload.size', `The file is too large: at most ${maxBytes / 1024 ** 2} MB at a time.`)
