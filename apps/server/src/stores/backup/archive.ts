import { createHash, createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { promisify } from 'node:util'
import { StartupFailure } from '../../startup-failure.ts'
import { readTar, type TarEntry, TarWriter } from './tar.ts'

/** OWASP's figures for scrypt: 128 MB and about half a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }
const CIPHER = 'aes-256-gcm'

export const SealedSecretSchema = z.object({ salt: z.base64(), nonce: z.base64(), tag: z.base64(), sealed: z.base64() })
export type SealedSecret = z.infer<typeof SealedSecretSchema>

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)

export async function sealSecret(secret: string, passphrase: string): Promise<SealedSecret> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv(CIPHER, await derive(passphrase, salt, 32, COST), nonce)
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  const text = (bytes: Buffer) => bytes.toString('base64')
  return { salt: text(salt), nonce: text(nonce), tag: text(cipher.getAuthTag()), sealed: text(sealed) }
}

export async function unsealSecret({ salt, nonce, tag, sealed }: SealedSecret, passphrase: string): Promise<string> {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  const decipher = createDecipheriv(CIPHER, await derive(passphrase, bytes(salt), 32, COST), bytes(nonce))
  decipher.setAuthTag(bytes(tag))
  try {
    return Buffer.concat([decipher.update(bytes(sealed)), decipher.final()]).toString()
  } catch (cause) {
    throw new StartupFailure('BACKUP_PASSPHRASE does not open the secret in this archive.', { cause })
  }
}

const FORMAT = 1
/** The first entry: what has to be known before the rows come. */
const HEADER = 'header.json'
/** The last entry: an archive without it was cut short. */
const MANIFEST = 'manifest.json'
const SECRET = 'secret.json'
const TABLES = 'tables/'
const FILES = 'files/'
/** A table is an entry for each so many bytes: the length of an entry stands in front of it. */
const PART_BYTES = 4 * 1024 * 1024

const Header = z.object({
  format: z.literal(FORMAT),
  /** The version of the program that wrote the archive. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** Names of the migrations that the database had, oldest first. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1).readonly() })).min(1),
})
export type Header = z.infer<typeof Header>

const Manifest = z.object({
  tables: z.record(z.string(), z.object({ rows: z.number().int().min(0), sha256: z.hex() })),
  sequences: z.record(z.string(), z.string().nullable()),
  files: z.array(z.object({ path: z.string(), bytes: z.number().int().min(0), sha256: z.hex() })),
  /** Files of stores on other machines, which are not in the archive. */
  filesElsewhere: z.number().int().min(0),
})
export type Manifest = z.infer<typeof Manifest>

/** Writes an archive under another name, which it keeps until it is whole and on disk. */
export class ArchiveWriter {
  readonly #file: string
  readonly #tar: TarWriter
  readonly #gzip = createGzip({ level: 3 })
  readonly #written: Promise<void>
  readonly #manifest: Manifest = { tables: {}, sequences: {}, files: [], filesElsewhere: 0 }

  static async create(file: string, header: Omit<Header, 'format'>): Promise<ArchiveWriter> {
    await mkdir(dirname(file), { recursive: true })
    const writer = new ArchiveWriter(file, Math.floor(Date.parse(header.createdAt) / 1000))
    await writer.#tar.add(HEADER, json({ format: FORMAT, ...header }))
    return writer
  }

  private constructor(file: string, modifiedAt: number) {
    this.#file = file
    this.#written = pipeline(this.#gzip, createWriteStream(unfinished(file), { mode: 0o600 }))
    // Told where it is waited for.
    this.#written.catch(() => {})
    this.#tar = new TarWriter(this.#gzip, { modifiedAt })
  }

  async table(name: string, content: AsyncIterable<Buffer>, rows: () => number): Promise<void> {
    const hash = createHash('sha256')
    let part = 0
    for await (const bytes of inParts(content)) {
      hash.update(bytes)
      await this.#unlessFailed(this.#tar.add(`${TABLES}${name}/${numbered(part++)}`, bytes))
    }
    this.#manifest.tables[name] = { rows: rows(), sha256: hash.digest('hex') }
  }

  async file(path: string, at: string, bytes: number): Promise<void> {
    const hash = createHash('sha256')
    const content = async function* () {
      for await (const chunk of createReadStream(at) as AsyncIterable<Buffer>) {
        hash.update(chunk)
        yield chunk
      }
    }
    const name = `${FILES}${numbered(this.#manifest.files.length)}`
    await this.#unlessFailed(this.#tar.addStream(name, bytes, content()))
    this.#manifest.files.push({ path, bytes, sha256: hash.digest('hex') })
  }

  async secret(sealed: SealedSecret): Promise<void> {
    await this.#unlessFailed(this.#tar.add(SECRET, json(sealed)))
  }

  async finish(more: Pick<Manifest, 'sequences' | 'filesElsewhere'>): Promise<Manifest> {
    const manifest = { ...this.#manifest, ...more }
    await this.#unlessFailed(this.#tar.add(MANIFEST, json(manifest)))
    await this.#unlessFailed(this.#tar.finish())
    this.#gzip.end()
    await this.#written
    await chmod(unfinished(this.#file), 0o600)
    await synced(unfinished(this.#file))
    await rename(unfinished(this.#file), this.#file)
    return manifest
  }

  async abandon(): Promise<void> {
    this.#gzip.destroy()
    await this.#written.catch(() => {})
    await rm(unfinished(this.#file), { force: true })
  }

  /** A full disk ends the pipeline, and a write that waits for room would wait for ever. */
  async #unlessFailed(work: Promise<void>): Promise<void> {
    await Promise.race([work, this.#written.then(() => work)])
  }
}

type ArchivePart =
  | { readonly is: 'table'; readonly name: string; readonly content: AsyncIterable<Buffer> }
  | { readonly is: 'file'; readonly at: number; readonly bytes: number; readonly content: AsyncIterable<Buffer> }
  | { readonly is: 'secret'; readonly sealed: SealedSecret }

interface ReadOptions {
  onHeader?: (header: Header) => Promise<void>
  /** Content has to be read to its end. */
  onPart: (part: ArchivePart, header: Header) => Promise<void>
}

/** Reads an archive from front to end. What is wrong with it is one sentence. */
export async function readArchive(file: string, options: ReadOptions): Promise<{ header: Header; manifest: Manifest }> {
  try {
    return await read(file, options)
  } catch (error) {
    if (error instanceof StartupFailure || !isDamage(error)) throw error
    throw new StartupFailure(`${file} cannot be read: ${error.message}.`, { cause: error })
  }
}

async function read(file: string, { onHeader, onPart }: ReadOptions) {
  const source = createReadStream(file)
  const unzipped = createGunzip()
  const piped = pipeline(source, unzipped)
  piped.catch(() => {})
  const entries = new Entries(readTar(unzipped))
  const first = await entries.next()
  if (first?.name !== HEADER) throw new StartupFailure(`${file} is not a backup of Tradewright.`)
  const header = parsed(Header, await textOf(first), file)
  await onHeader?.(header)
  for (let entry = await entries.next(); entry; entry = await entries.next()) {
    if (entry.name === MANIFEST) {
      const manifest = parsed(Manifest, await textOf(entry), file)
      source.destroy()
      unzipped.destroy()
      return { header, manifest }
    }
    if (entry.name === SECRET) {
      await onPart({ is: 'secret', sealed: parsed(SealedSecretSchema, await textOf(entry), file) }, header)
    } else if (entry.name.startsWith(FILES)) {
      const at = Number(entry.name.slice(FILES.length))
      await onPart({ is: 'file', at, bytes: entry.bytes, content: entry.body }, header)
    } else {
      const name = tableOf(entry.name)
      await onPart({ is: 'table', name, content: entries.ofTable(entry.body, name) }, header)
    }
  }
  throw new StartupFailure(`${file} is incomplete: the end is missing.`)
}

/** Joins the parts of a table to one content. */
class Entries {
  readonly #source: ReturnType<typeof readTar>
  #ahead: TarEntry | undefined

  constructor(source: ReturnType<typeof readTar>) {
    this.#source = source
  }

  async next(): Promise<TarEntry | undefined> {
    const ahead = this.#ahead
    this.#ahead = undefined
    if (ahead) return ahead
    const { value, done } = await this.#source.next()
    return done ? undefined : value
  }

  async *ofTable(first: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
    yield* first
    for (let entry = await this.next(); entry; entry = await this.next()) {
      if (tableOf(entry.name) !== name) {
        this.#ahead = entry
        return
      }
      yield* entry.body
    }
  }
}

const tableOf = (entry: string): string => (entry.startsWith(TABLES) ? (entry.split('/')[1] ?? '') : '')

async function* inParts(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [chunks, bytes]: [Buffer[], number] = [[], 0]
  for await (const chunk of content) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < PART_BYTES) continue
    yield Buffer.concat(chunks)
    ;[chunks, bytes] = [[], 0]
  }
  // A table without rows has one part, too.
  yield Buffer.concat(chunks)
}

function parsed<Value>(schema: z.ZodType<Value>, text: string, file: string): Value {
  const result = schema.safeParse(JSON.parse(text))
  if (result.success) return result.data
  throw new StartupFailure(`${file} is not a backup that this version can read: it may be of a newer Tradewright.`)
}

/** The manifest of a million files has less. A larger one would be read into memory without end. */
const MAX_JSON_BYTES = 256 * 1024 * 1024

async function textOf({ name, bytes, body }: TarEntry): Promise<string> {
  if (bytes > MAX_JSON_BYTES) throw new Error(`damaged: ${name} is larger than it can be`)
  return Buffer.concat(await Array.fromAsync(body)).toString()
}

async function synced(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Errors of the file itself: not there, not gzip, cut, changed. */
const isDamage = (error: unknown): error is Error =>
  error instanceof SyntaxError ||
  (error instanceof Error &&
    (/^damaged|premature/i.test(error.message) ||
      /^(ENOENT|EACCES|EISDIR|Z_|ERR_STREAM_PREMATURE)/.test(String((error as NodeJS.ErrnoException).code))))

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, undefined, 1)}\n`)
const numbered = (count: number): string => String(count).padStart(8, '0')
const unfinished = (file: string): string => `${file}.unfinished`
