import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Seals users' keys for storage. What was sealed for one purpose does not open for another. */
export interface Seal {
  seal(purpose: string, plain: string): Buffer
  /** Throws when the bytes were changed, or sealed with another secret or for another purpose. */
  open(purpose: string, sealed: Buffer): string
}

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM under a key derived from the application's secret; layout: version, nonce, tag, ciphertext. */
export function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, 'tradewright', 'sealed secrets', 32))
  return {
    seal(purpose, plain) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(purpose),
      )
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body])
    },
    open(purpose, sealed) {
      if (sealed[0] !== VERSION) throw new Error(`sealed bytes have version ${sealed[0]}, expected ${VERSION}`)
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
      const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(tag)
      const body = sealed.subarray(1 + NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}
