import { hash, randomBytes } from 'node:crypto'

const SECRET = /^[\w-]{43}$/

/** 32 random bytes as text: it cannot be guessed, so a fast hash is enough to store it. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

export function looksLikeSecret(text: string | undefined): text is string {
  return text !== undefined && SECRET.test(text)
}
