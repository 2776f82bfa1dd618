import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { StartupFailure } from '../../startup-failure.ts'

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
