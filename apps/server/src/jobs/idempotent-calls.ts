import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'

const RETENTION_HOURS = 24

/** A call as a client named it. */
export interface NamedCall {
  readonly userId: number
  /** The client's `Idempotency-Key`. */
  readonly key: string
  /** SHA-256 of the call and its body. */
  readonly fingerprint: Buffer
}

/** A call with the same name that was begun before. */
interface EarlierCall {
  readonly fingerprint: Buffer
  readonly isFinished: boolean
  readonly answer: Buffer | null
}

export interface IdempotentCallStore {
  /** Undefined where this call is the first of its name; it is the only one from now on. */
  begin(call: NamedCall, now: Date): Promise<EarlierCall | undefined>
  finish(call: NamedCall, answer: Buffer | null, now: Date): Promise<void>
  forget(call: NamedCall): Promise<void>
  removeOld(before: Date): Promise<void>
}

export interface IdempotentCalls {
  /** The stored answer where the call was made before; undefined where it is to be made now. */
  begin(call: NamedCall): Promise<Buffer | undefined>
  /** `answer` null: too large to be kept. */
  finish(call: NamedCall, answer: Buffer | null): Promise<void>
  /** Forgets a call that was refused: nothing was done, and the name can be used again. */
  forget(call: NamedCall): Promise<void>
  removeOld(): Promise<void>
}

export function createIdempotentCalls(store: IdempotentCallStore, clock: Clock): IdempotentCalls {
  return {
    async begin(call) {
      const earlier = await store.begin(call, clock.now())
      if (!earlier) return undefined
      if (!earlier.fingerprint.equals(call.fingerprint)) {
        throw conflict('other', 'This Idempotency-Key was used for another request. Use a new one for a new request.')
      }
      if (earlier.answer) return earlier.answer
      if (earlier.isFinished) {
        throw conflict(
          'answer',
          'This was done before, and its answer was too large to be kept. Look it up in its list.',
        )
      }
      throw conflict(
        'unfinished',
        'The first request with this Idempotency-Key has no answer yet. Try again in a few seconds. If it still has ' +
          'none after an hour, the server was stopped in the meantime: check whether it was done before you use a new one.',
        5,
      )
    },
    finish: (call, answer) => store.finish(call, answer, clock.now()),
    forget: (call) => store.forget(call),
    removeOld: () => store.removeOld(new Date(clock.now().getTime() - RETENTION_HOURS * 3_600_000)),
  }
}

const conflict = (code: string, sentence: string, retryAfterSeconds?: number): Problem =>
  new Problem('conflict', `idempotency.${code}`, sentence, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
