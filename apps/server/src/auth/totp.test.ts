import { describe, expect, it } from 'vitest'
import { codeAt, isTotpSecret, newTotpSecret, stepOfCode, toBase32, totpUri } from './totp.ts'

/** RFC 6238, appendix B, SHA-1: the last six of its eight digits. */
const SECRET = toBase32(Buffer.from('12345678901234567890'))
const VECTORS: readonly (readonly [seconds: number, code: string])[] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
]

describe('codes of an authenticator app', () => {
  it.each(VECTORS)('are those of RFC 6238 at %d seconds', (seconds, code) => {
    expect(codeAt(SECRET, new Date(seconds * 1000))).toBe(code)
  })

  it('are taken half a minute early and late, and no further', () => {
    const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)
    const code = codeAt(SECRET, at(0))
    const step = stepOfCode(SECRET, code, at(0))
    expect(step).toBe(60_000_000)
    expect([-30, 30, 59].map((seconds) => stepOfCode(SECRET, code, at(seconds)))).toEqual([step, step, step])
    expect([-31, 60].map((seconds) => stepOfCode(SECRET, code, at(seconds)))).toEqual([undefined, undefined])
    for (const wrong of ['', '12345', 'abcdef', `${code}0`]) expect(stepOfCode(SECRET, wrong, at(0))).toBeUndefined()
  })

  it('come from secrets that apps take by hand or from a QR code', () => {
    const secret = newTotpSecret()
    expect(isTotpSecret(secret)).toBe(true)
    expect(isTotpSecret(secret.toLowerCase())).toBe(false)
    expect(totpUri(secret, 'ann & bob')).toBe(
      `otpauth://totp/Tradewright%3Aann%20%26%20bob?secret=${secret}&issuer=Tradewright`,
    )
  })
})
