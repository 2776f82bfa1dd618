import { Problem } from '@tradewright/core/problem'
import { type Asker, TurnQueue } from '../turn-queue.ts'
import type { PasswordHasher } from './ports.ts'
import { newSecret } from './secret.ts'

/** Passwords hashed at the same moment, 19 MiB each, and how many more may wait. */
const HASHES = { atOnce: 4, waiting: 500, perAccount: { atOnce: 2, waiting: 8 }, waitingPerAddress: 100 }

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long without a user (`null`) as with one, and is then false. */
  verify(hash: string | null, password: string): Promise<boolean>
  isOutdated(hash: string): boolean
  /** Hashing takes memory on purpose; whatever needs it takes a turn, so that a flood waits instead of swelling. */
  turns: TurnQueue
}

export function createPasswords(hasher: PasswordHasher): Passwords {
  // Made at once, so that not even the first unknown user takes longer than a known one.
  const decoyHash = hasher.hash(newSecret())
  return {
    turns: new TurnQueue({ ...HASHES, tooMany }),
    hash: (password) => hasher.hash(sameOnAnyKeyboard(password)),
    async verify(hash, password) {
      const isRight = await hasher.verify(hash ?? (await decoyHash), sameOnAnyKeyboard(password))
      return isRight && hash !== null
    },
    isOutdated: (hash) => hasher.isOutdated(hash),
  }
}

/** A signed-in user who is asked for the password again. */
export const ownSession = (userId: number): Asker => ({ account: `user ${userId}`, address: '', isKnown: true })

const tooMany = () =>
  new Problem('limited', 'sign-in.queue', 'Too many sign-ins at the same time. Please try again in a few seconds.', {
    retryAfterSeconds: 5,
  })

/** An accented letter may be one character or two, depending on the system it is typed on. */
function sameOnAnyKeyboard(password: string): string {
  return password.normalize('NFKC')
}
