import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** As versions did before the row was part of what is sealed: version, nonce, tag, ciphertext, bound to a purpose. */
export function sealedBeforeRows(secret: string, purpose: string, plain: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, 'tradewright', 'sealed secrets', 32))
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 }).setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), body])
}
