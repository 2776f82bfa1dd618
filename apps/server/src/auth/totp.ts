import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** RFC 6238 as every authenticator app knows it: SHA-1, six digits, half a minute. */
const STEP_SECONDS = 30
const DIGITS = 6
const SECRET_BYTES = 20
/** Steps that count as now: an app's clock may be half a minute early or late. */
const STEPS_AROUND = [0, -1, 1]
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** In base32, as apps take it by hand. */
export const newTotpSecret = (): string => toBase32(randomBytes(SECRET_BYTES))

export const isTotpSecret = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text)

/** What the QR code says. */
export function totpUri(secret: string, username: string): string {
  const account = encodeURIComponent(`Tradewright:${username}`)
  return `otpauth://totp/${account}?secret=${secret}&issuer=Tradewright`
}

/** The step whose code this is; undefined where it is none of now. A step that was used once is not taken again. */
export function stepOfCode(secret: string, code: string, at: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const current = Math.floor(at.getTime() / 1000 / STEP_SECONDS)
  return STEPS_AROUND.map((off) => current + off).find((step) =>
    timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(code)),
  )
}

function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = digest.at(-1)! & 15
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** What an authenticator app shows. */
export const codeAt = (secret: string, at: Date): string =>
  codeOfStep(secret, Math.floor(at.getTime() / 1000 / STEP_SECONDS))

/** Whole groups of five bytes alone, which is all that is made here. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = text
    .split('')
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
