import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The row that a secret is stored in. It is part of what is authenticated: sealed bytes do not open in another row. */
export interface SealedPlace {
  readonly table: string
  /** The row's id within its table. */
  readonly row: number | string
  readonly userId: number
}

/** Seals users' keys for storage. */
export interface Seal {
  seal(place: SealedPlace, plain: string): Buffer
  /** Throws `Unreadable` when the bytes were changed, moved to another row, or sealed with a secret that is not known. */
  open(place: SealedPlace, sealed: Buffer): string
}

/** A stored secret that cannot be opened. Its owner can only enter it again. */
export class Unreadable extends Error {}

/** Which secret sealed: enough to tell a few secrets apart, and nothing about them. */
const KEY_ID_BYTES = 4
const VERSION = 2
const VERSION_BEFORE_ROWS = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

interface Key {
  readonly id: Buffer
  readonly bytes: Buffer
}

/**
 * AES-256-GCM under a key derived from the application's secret; layout: version, key id, nonce, tag, ciphertext.
 * `others` only open: during a rotation some rows are sealed with the secret before, some with the next.
 */
export function createSeal(secret: string, others: readonly string[] = []): Seal {
  const key = keyOf(secret)
  const keys = [key, ...others.map(keyOf)]
  return {
    seal(place, plain) {
      const head = Buffer.concat([Buffer.of(VERSION), key.id])
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.concat([head, inRow(place)]))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([head, nonce, cipher.getAuthTag(), body])
    },
    open(place, sealed) {
      const headBytes = 1 + KEY_ID_BYTES
      const known = keys.find(({ id }) => id.equals(sealed.subarray(1, headBytes)))
      if (sealed[0] !== VERSION || !known) throw new Unreadable('sealed with another secret')
      const associated = Buffer.concat([sealed.subarray(0, headBytes), inRow(place)])
      return decipher(known.bytes, associated, sealed.subarray(headBytes))
    },
  }
}

export const keyIdOf = (secret: string): Buffer => keyOf(secret).id

/** The id of the key that sealed the bytes, or `before rows` for the layout that named a purpose instead of a row. */
export function sealedBy(sealed: Buffer): Buffer | 'before rows' | 'unknown' {
  if (sealed[0] === VERSION_BEFORE_ROWS) return 'before rows'
  return sealed[0] === VERSION ? sealed.subarray(1, 1 + KEY_ID_BYTES) : 'unknown'
}

/** Opens the earlier layout; such rows are sealed anew when the program starts. Layout: version, nonce, tag, text. */
export function openBeforeRows(secret: string, purpose: string, sealed: Buffer): string {
  if (sealed[0] !== VERSION_BEFORE_ROWS) throw new Unreadable(`version ${sealed[0]}`)
  return decipher(keyOf(secret).bytes, Buffer.from(purpose), sealed.subarray(1))
}

function decipher(key: Buffer, associated: Buffer, sealed: Buffer): string {
  try {
    const opening = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(associated)
      .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([opening.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), opening.final()]).toString('utf8')
  } catch (cause) {
    throw new Unreadable('changed, or sealed for another row', { cause })
  }
}

const keyOf = (secret: string): Key => ({
  id: Buffer.from(hkdfSync('sha256', secret, 'tradewright', 'key id', KEY_ID_BYTES)),
  bytes: Buffer.from(hkdfSync('sha256', secret, 'tradewright', 'sealed secrets', 32)),
})

const inRow = ({ table, row, userId }: SealedPlace): Buffer => Buffer.from(JSON.stringify([table, row, userId]))
