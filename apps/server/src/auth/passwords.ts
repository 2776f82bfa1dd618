import type { PasswordQueue } from './password-queue.ts'
import type { PasswordHasher } from './ports.ts'
import { newSecret } from './secret.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long without a user (`null`) as with one, and is then false. */
  verify(hash: string | null, password: string): Promise<boolean>
  isOutdated(hash: string): boolean
  /** Hashing takes memory on purpose; whatever needs it takes a turn, so that a flood waits instead of swelling. */
  turns: PasswordQueue
}

export function createPasswords(hasher: PasswordHasher, turns: PasswordQueue): Passwords {
  // Made at once, so that not even the first unknown user takes longer than a known one.
  const decoyHash = hasher.hash(newSecret())
  return {
    turns,
    hash: (password) => hasher.hash(sameOnAnyKeyboard(password)),
    async verify(hash, password) {
      const isRight = await hasher.verify(hash ?? (await decoyHash), sameOnAnyKeyboard(password))
      return isRight && hash !== null
    },
    isOutdated: (hash) => hasher.isOutdated(hash),
  }
}

/** An accented letter may be one character or two, depending on the system it is typed on. */
function sameOnAnyKeyboard(password: string): string {
  return password.normalize('NFKC')
}
