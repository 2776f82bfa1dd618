import { Problem } from '@tradewright/core/problem'
import type { ProviderFailureKind } from '@tradewright/engine/market/provider'
import { INSUFFICIENT_FUNDS, OPPOSITE_ORDER } from '@tradewright/engine/trading/broker'
import { refusalCode, type RefusalTable } from '@tradewright/engine/trading/refusals'
import { ZodError } from 'zod'
import { HttpFailure } from '../http/http-failure.ts'
import { AlpacaError } from './schema.ts'

/** A question may be asked again; an order may have been taken although no confirmation arrived. */
type CallKind = 'question' | 'order'

export const REFUSED = 'broker.order-refused'
const KEYS_REFUSED = 'broker.keys-refused'

/** Alpaca's failure in the port's words. Our own bugs stay what they are. */
export function alpacaProblem(error: unknown, call: CallKind): unknown {
  if (error instanceof ZodError) return unreadable(error, call)
  return error instanceof HttpFailure ? PROBLEMS[error.kind](error, call) : error
}

const PROBLEMS: Record<ProviderFailureKind, (failure: HttpFailure, call: CallKind) => Problem> = {
  auth: (failure, call) =>
    call === 'order' && isRefusedOrder(failure) ? refused('invalid', reasonOf(failure)) : keysRefused(failure),
  'not-found': (failure) =>
    new Problem('missing', 'broker.missing', `Alpaca does not know it: ${reasonOf(failure)}.`, { cause: failure }),
  'bad-request': (failure) => refused(isDuplicate(reasonOf(failure)) ? 'conflict' : 'invalid', reasonOf(failure)),
  limit: (failure) =>
    new Problem('limited', 'broker.limited', 'Alpaca is limiting our calls; please try again in a moment.', {
      cause: failure,
      retryAfterSeconds: failure.retryAfterSeconds ?? 30,
    }),
  network: (failure) => away(failure),
  malformed: (failure, call) =>
    call === 'order'
      ? away(failure)
      : new Problem('upstream', 'broker.malformed', sentence(failure), { cause: failure }),
}

/** Longer than any reason that Alpaca gives. */
const MAX_REASON_LENGTH = 200

/**
 * Alpaca's own words where it refused something, since no list of ours has every reason for which an order is refused; its
 * address is the operator's, and no user can enter another. One line of plain text, else what we saw.
 */
export function reasonOf(failure: HttpFailure): string {
  try {
    const { message } = AlpacaError.parse(JSON.parse(failure.body))
    const isPlain = message.length <= MAX_REASON_LENGTH && /^[\x20-\x7e]+$/.test(message) && !/[<>]/.test(message)
    return isPlain ? message.replace(/\.+$/, '') : failure.message
  } catch {
    return failure.message
  }
}

const sentence = (failure: HttpFailure) => `Alpaca is not available right now: ${failure.message}.`

/** Neither success nor failure: `orderByClientId` tells which. */
const away = (failure: HttpFailure) =>
  new Problem('unavailable', 'broker.unavailable', sentence(failure), { cause: failure, retryAfterSeconds: 30 })

const refused = (kind: 'invalid' | 'conflict', reason: string) =>
  new Problem(kind, codeOf(reason), `The broker refused the order: ${reason}.`)

const codeOf = (reason: string): string => refusalCode(ALPACA_REFUSALS, reason) ?? REFUSED

/**
 * Alpaca has one number, 40310000, for most refusals of an order, so they are told apart by their words; `reject_reason` of
 * an order that was taken first has the same ones.
 */
export const ALPACA_REFUSALS: RefusalTable = [
  { words: /wash trade|opposite side/i, again: 'now', code: OPPOSITE_ORDER },
  { words: /pattern day|day trading protection|insufficient day.?trading buying power/i, again: 'next-session' },
  { words: /insufficient (buying power|balance)/i, again: 'later', code: INSUFFICIENT_FUNDS },
  // Shares that an open order holds.
  { words: /insufficient qty/i, again: 'later' },
  { words: /halt|price band|too far from|outside of the (?:market|allowed) price/i, again: 'later' },
  {
    words: /cannot be sold short|not easy to borrow|hard.to.borrow|no shares? available to (?:borrow|short)/i,
    again: 'next-session',
  },
  { words: /is not (?:active|tradable)/i, again: 'next-session' },
  { words: /market is closed|only accepted|not accepted at this time|outside of .*hours/i, again: 'next-session' },
  { words: /minimal amount|cost basis must be|sub-penny|pricing criteria/i, again: 'next-session' },
  {
    words:
      /not allowed to short|by user request|not authorized|restricted|account (?:is )?(?:blocked|closed)|forbidden/i,
    again: 'ask',
  },
  { words: /invalid (?:order type|crypto|time.in.force)|not fractionable|fractional orders/i, again: 'ask' },
]

const keysRefused = (failure: HttpFailure) =>
  new Problem('denied', KEYS_REFUSED, `Alpaca does not accept the keys of this account: ${reasonOf(failure)}.`, {
    cause: failure,
  })

/** 403 means wrong keys as well as an order that is not allowed; only the latter has a code. */
function isRefusedOrder({ status, body }: HttpFailure): boolean {
  return status === 403 && /"code"\s*:\s*403/.test(body)
}

const isDuplicate = (reason: string) => /client_order_id must be unique/i.test(reason)

function unreadable(error: ZodError, call: CallKind): Problem {
  const [issue] = error.issues
  const where = issue ? ` (${issue.path.join('.') || 'at the top level'}: ${issue.message})` : ''
  const message = `Alpaca sent an answer in an unexpected form${where}.`
  return call === 'order'
    ? new Problem('unavailable', 'broker.unavailable', message, { cause: error })
    : new Problem('upstream', 'broker.malformed', message, { cause: error })
}
