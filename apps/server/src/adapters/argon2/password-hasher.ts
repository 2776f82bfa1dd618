import { hash, parseOptions, verify } from '@node-rs/argon2'
import type { PasswordHasher } from '../../auth/ports.ts'

/** Argon2id as OWASP's password storage guide recommends it: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const ARGON2ID = 2

export function argon2Hasher(parameters = PARAMETERS): PasswordHasher {
  return {
    hash: (password) => hash(password, { ...parameters, algorithm: ARGON2ID }),
    verify: (stored, password) => verify(stored, password),
    isOutdated(stored) {
      const { memoryCost, timeCost, parallelism } = parseOptions(stored)
      return (
        !stored.startsWith('$argon2id$') ||
        memoryCost !== parameters.memoryCost ||
        timeCost !== parameters.timeCost ||
        parallelism !== parameters.parallelism
      )
    },
  }
}
