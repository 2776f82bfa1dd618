import type { Assertion, Attestation } from '@tradewright/contract/second-factor'
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** An authenticator in memory: makes the very bytes that a security key and a browser make together. */
export class SoftwarePasskey {
  readonly #id = randomBytes(32)
  readonly #privateKey: KeyObject
  readonly #cose: Buffer
  readonly #origin: string
  readonly #domain: string
  #count = 0

  constructor(origin: string) {
    this.#origin = origin
    this.#domain = new URL(origin).hostname
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#privateKey = privateKey
    const { x, y } = publicKey.export({ format: 'jwk' })
    this.#cose = cborMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x!, 'base64url')],
      [-3, Buffer.from(y!, 'base64url')],
    ])
  }

  make({ challenge }: { challenge: string }): Attestation {
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, this.#id.length), this.#id, this.#cose])
    const attestationObject = cborMap([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', Buffer.concat([this.#head(0x45), credential])],
    ])
    const response = {
      clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['usb'],
    }
    return { ...this.#named(), response }
  }

  /** `at`: the page that asks, where it is another than the passkey was made at. */
  use({ challenge }: { challenge: string }, at = this.#origin): Assertion {
    this.#count += 1
    const authenticatorData = this.#head(0x05)
    const clientData = this.#clientData('webauthn.get', challenge, at)
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()])
    const response = {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
    }
    return { ...this.#named(), response }
  }

  /** As a copy of the key would be, that was used less often. */
  turnBack(): void {
    this.#count = 0
  }

  #named() {
    const id = this.#id.toString('base64url')
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  #head(flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.#count)
    return Buffer.concat([createHash('sha256').update(this.#domain).digest(), Buffer.of(flags), count])
  }

  #clientData = (type: string, challenge: string, origin = this.#origin): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

type Cbor = number | string | Buffer | ReadonlyMap<string, string>

const cborHead = (major: number, value: number): Buffer =>
  value < 24
    ? Buffer.of((major << 5) | value)
    : value < 256
      ? Buffer.of((major << 5) | 24, value)
      : Buffer.of((major << 5) | 25, value >> 8, value & 255)

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value !== 'string' && !Buffer.isBuffer(value)) return cborHead(5, 0)
  const bytes = Buffer.from(value)
  return Buffer.concat([cborHead(typeof value === 'string' ? 3 : 2, bytes.length), bytes])
}

const cborMap = (entries: readonly (readonly [number | string, Cbor])[]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flatMap((entry) => entry.map(cbor))])
