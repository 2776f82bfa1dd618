import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** POSIX ustar, so that every `tar` can list an archive and take it apart. */
const BLOCK = 512
/** Eleven octal digits, 8 GB. Longer lengths are written as a binary number, as GNU tar does and bsdtar and others read. */
const MAX_OCTAL = 8 ** 11 - 1
const BINARY = 0x80
const NAME_BYTES = 100

export interface TarEntry {
  readonly name: string
  readonly bytes: number
  /** To be read to its end before the next entry. */
  readonly body: AsyncIterable<Buffer>
}

interface TarOptions {
  /** The time of every entry, in seconds since 1970. The same input gives the same bytes. */
  readonly modifiedAt: number
}

/** Writes entries one after the other; waits while the sink is full. */
export class TarWriter {
  readonly #sink: Writable
  readonly #options: TarOptions

  constructor(sink: Writable, options: TarOptions) {
    this.#sink = sink
    this.#options = options
  }

  async add(name: string, content: Buffer, mode?: number): Promise<void> {
    await this.addStream(name, content.length, [content], mode)
  }

  /** `bytes` are promised in front of the content; a content of another length is an error. */
  async addStream(
    name: string,
    bytes: number,
    content: AsyncIterable<Buffer> | Iterable<Buffer>,
    mode = 0o600,
  ): Promise<void> {
    await this.#write(header(name, bytes, mode, this.#options.modifiedAt))
    let written = 0
    for await (const chunk of content) {
      written += chunk.length
      await this.#write(chunk)
    }
    if (written !== bytes) throw new Error(`${name} was ${bytes} bytes long and is ${written} now`)
    await this.#write(Buffer.alloc(padding(bytes)))
  }

  async finish(): Promise<void> {
    await this.#write(Buffer.alloc(2 * BLOCK))
  }

  async #write(chunk: Buffer): Promise<void> {
    if (chunk.length > 0 && !this.#sink.write(chunk)) await once(this.#sink, 'drain')
  }
}

/** Reads entries one after the other. Throws when the stream ends in the middle of one. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const input = new ByteReader(source)
  for (;;) {
    const block = await input.exactly(BLOCK)
    if (block.every((byte) => byte === 0)) return
    const { name, bytes } = readHeader(block)
    let isRead = false
    const body = async function* () {
      yield* input.upTo(bytes)
      await input.exactly(padding(bytes))
      isRead = true
    }
    yield { name, bytes, body: body() }
    if (!isRead) throw new Error(`${name} was not read to its end`)
  }
}

const padding = (bytes: number): number => (BLOCK - (bytes % BLOCK)) % BLOCK

function header(name: string, bytes: number, mode: number, modifiedAt: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  const [prefix, short] = splitName(name)
  block.write(short, 0, NAME_BYTES)
  block.write(`${octal(mode, 7)}\0`, 100)
  block.write(`${octal(0, 7)}\0`, 108)
  block.write(`${octal(0, 7)}\0`, 116)
  if (bytes <= MAX_OCTAL) block.write(`${octal(bytes, 11)}\0`, 124)
  else {
    block.writeUInt8(BINARY, 124)
    block.writeBigUInt64BE(BigInt(bytes), 128)
  }
  block.write(`${octal(modifiedAt, 11)}\0`, 136)
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\u000000', 257)
  block.write(prefix, 345, 155)
  const checksum = block.reduce((sum, byte) => sum + byte, 0)
  block.write(`${octal(checksum, 6)}\0 `, 148)
  return block
}

/** Long names are cut at a slash into a prefix of up to 155 bytes and a name of up to 100. */
function splitName(name: string): [prefix: string, short: string] {
  if (Buffer.byteLength(name) <= NAME_BYTES) return ['', name]
  for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
    const [prefix, short] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(short) <= NAME_BYTES && Buffer.byteLength(prefix) <= 155) return [prefix, short]
  }
  throw new RangeError(`${name} is too long for an archive`)
}

function readHeader(block: Buffer): { name: string; bytes: number } {
  const text = (start: number, length: number) => {
    const field = block.subarray(start, start + length)
    const end = field.indexOf(0)
    return field.subarray(0, end < 0 ? length : end).toString()
  }
  const known = Number.parseInt(text(148, 8), 8)
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (known !== sum) throw new Error('damaged: a header does not match its checksum')
  const prefix = text(345, 155)
  const name = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`
  const bytes = block[124] === BINARY ? Number(block.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8)
  // Links and folders are other kinds of entries, which no archive of ours has.
  const isFile = ['0', ''].includes(text(156, 1))
  if (!isFile || !Number.isSafeInteger(bytes) || bytes < 0) throw new Error('damaged: an entry is not a file')
  return { name, bytes }
}

class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]()
  }

  async *upTo(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0;) {
      if (this.#rest.length === 0) this.#rest = await this.#next()
      const part = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(part.length)
      left -= part.length
      yield part
    }
  }

  async exactly(bytes: number): Promise<Buffer> {
    return Buffer.concat(await Array.fromAsync(this.upTo(bytes)))
  }

  async #next(): Promise<Buffer> {
    const { value, done } = await this.#chunks.next()
    if (done) throw new Error('damaged: it ends too early')
    return value
  }
}
