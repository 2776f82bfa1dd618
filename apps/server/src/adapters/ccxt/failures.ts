import { Problem } from '@tradewright/core/problem'
import { INSUFFICIENT_FUNDS } from '@tradewright/engine/trading/broker'
import { ZodError } from 'zod'
import { HttpFailure } from '../http/http-failure.ts'
import { isCcxtError, UnusableSecret } from './spot-exchange.ts'

/** A question may be asked again; an order may have been taken although no confirmation arrived. */
type CallKind = 'question' | 'order'

const REFUSED = 'broker.order-refused'
export const KEYS_REFUSED = 'broker.keys-refused'

/** Longer than any reason that an exchange gives. */
const MAX_REASON_LENGTH = 200

/** An exchange's failure in the port's words. Our own bugs stay what they are. */
export function exchangeProblem(error: unknown, call: CallKind, name: string): unknown {
  if (error instanceof HttpFailure) return transportProblem(error, call, name)
  if (error instanceof ZodError) return unreadable(error, call, name)
  if (error instanceof UnusableSecret) return unusableSecret(error, name)
  const found = CCXT_PROBLEMS.find(([className]) => isCcxtError(error, className))
  return found ? found[1](withoutAddress(error as Error), call, name) : error
}

/** ccxt's messages may hold the address of the call with its signature, which belongs in no log. */
function withoutAddress(error: Error): Error {
  const masked = new Error(error.message.replaceAll(/(https?:\/\/[^\s?]*)\?\S*/g, '$1'))
  masked.name = error.name
  return masked
}

function transportProblem(failure: HttpFailure, call: CallKind, name: string): Problem {
  if (failure.kind === 'limit') return limited(failure, call, name)
  if (failure.kind === 'malformed' && call === 'question') return malformed(failure, name, failure.message)
  return away(failure, name, failure.message)
}

type ToProblem = (error: Error, call: CallKind, name: string) => Problem

/** From the most special class to the most general: the first that fits counts. */
const CCXT_PROBLEMS: readonly (readonly [className: string, toProblem: ToProblem])[] = [
  ['AuthenticationError', (error, _, name) => keysRefused(error, name)],
  ['InsufficientFunds', (error, _, name) => refused('invalid', INSUFFICIENT_FUNDS, error, name)],
  ['DuplicateOrderId', (error, _, name) => refused('conflict', REFUSED, error, name)],
  [
    'OrderNotFound',
    (error, _, name) =>
      new Problem('missing', 'broker.missing', `${name} does not know it: ${reasonOf(error)}.`, { cause: error }),
  ],
  ['DDoSProtection', (error, call, name) => limited(error, call, name)],
  ['RateLimitExceeded', (error, call, name) => limited(error, call, name)],
  [
    'BadResponse',
    (error, call, name) => (call === 'order' ? away : malformed)(error, name, 'it sent an unexpected answer'),
  ],
  // Whatever may have happened all the same: time-outs, errors inside the exchange, maintenance.
  ['OperationFailed', (error, _, name) => away(error, name, reasonOf(error))],
  // The exchange has answered, and it has said no.
  [
    'ExchangeError',
    (error, call, name) =>
      call === 'order'
        ? refused('invalid', REFUSED, error, name)
        : new Problem('upstream', 'broker.refused', `${name} rejected a request: ${reasonOf(error)}.`, {
            cause: error,
          }),
  ],
]

/**
 * The exchange's own words, without ccxt's name for it and the JSON around them; its address is the operator's, and no
 * user can enter another. One line of plain text, else what kind of failure it was.
 */
function reasonOf(error: Error): string {
  const sent = /\{.*\}/s.exec(error.message)?.[0]
  const words = (sent === undefined ? undefined : wordsIn(sent)) ?? error.message.replace(/^\w+ /, '')
  const isPlain = words.length <= MAX_REASON_LENGTH && /^[\x20-\x7e]+$/.test(words) && !/[<>{}]/.test(words)
  return isPlain ? words.replace(/\.+$/, '') : 'it gave no readable reason'
}

function wordsIn(json: string): string | undefined {
  try {
    const { msg, message, error } = JSON.parse(json) as Record<string, unknown>
    const words = [msg, message, Array.isArray(error) ? error[0] : error].find((one) => typeof one === 'string')
    return words
  } catch {
    return undefined
  }
}

const away = (cause: Error, name: string, reason: string) =>
  new Problem('unavailable', 'broker.unavailable', `${name} is not available right now: ${reason}.`, {
    cause,
    retryAfterSeconds: 30,
  })

const malformed = (cause: Error, name: string, reason: string) =>
  new Problem('upstream', 'broker.malformed', `${name} is not available right now: ${reason}.`, { cause })

const limited = (cause: Error, _: CallKind, name: string) =>
  new Problem('limited', 'broker.limited', `${name} is limiting our calls; please try again in a moment.`, {
    cause,
    retryAfterSeconds: (cause instanceof HttpFailure ? cause.retryAfterSeconds : undefined) ?? 30,
  })

const refused = (kind: 'invalid' | 'conflict', code: string, cause: Error, name: string) =>
  new Problem(kind, code, `${name} refused the order: ${reasonOf(cause)}.`, { cause })

const keysRefused = (cause: Error, name: string) =>
  new Problem('denied', KEYS_REFUSED, `${name} does not accept the keys of this account: ${reasonOf(cause)}.`, {
    cause,
  })

const unusableSecret = (cause: Error, name: string) =>
  new Problem('denied', KEYS_REFUSED, `${name} cannot use the keys of this account: ${cause.message}.`, { cause })

function unreadable(error: ZodError, call: CallKind, name: string): Problem {
  const [issue] = error.issues
  const where = issue ? ` (${issue.path.join('.') || 'at the top level'}: ${issue.message})` : ''
  const message = `${name} sent an answer in an unexpected form${where}.`
  return call === 'order'
    ? new Problem('unavailable', 'broker.unavailable', message, { cause: error })
    : new Problem('upstream', 'broker.malformed', message, { cause: error })
}
