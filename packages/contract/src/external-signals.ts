import { z } from 'zod'
import { Sentence, Success } from './answers.ts'
import { PathId } from './ids.ts'
import { route } from './route.ts'

const tag = 'External signals'
const params = z.object({ id: PathId })

/** Where signals are sent; the address of a strategy follows. */
export const SIGNALS_PATH = '/api/signals/'

const Ticker = z.string('Name a ticker.').max(60, 'A ticker has at most 60 characters.')

/** What signals may ask for, as the form, a saved strategy and docs/external-signals.md have it. */
export const SignalBounds = z.strictObject(
  {
    allocations: z
      .array(
        z.strictObject({
          name: z.string('An allocation needs a name.').max(40, 'A name has at most 40 characters.'),
          /** Percentages by row; none is all in cash. */
          rows: z
            .array(z.strictObject({ ticker: Ticker, allocation: z.number('An allocation is a number of percent.') }))
            .max(50, 'An allocation has at most 50 tickers.'),
        }),
        'The allocations must be a list.',
      )
      .max(20, 'At most 20 allocations are allowed.'),
    /** Held before the first signal; null: cash. */
    initial: z.string().max(40).nullable().default(null),
    /** Signals may set weights of the listed tickers, each at most this percent; null: only names. */
    max_weight_pct: z.number().nullable().default(null),
  },
  'External signals must be a JSON object with allocations, initial and max_weight_pct.',
)
export type SignalBounds = z.infer<typeof SignalBounds>

const SIGNAL_OUTCOMES = ['accepted', 'doubled', 'late', 'forged', 'unknown_target', 'unreadable'] as const

const SignalEntry = z.object({
  id: z.int(),
  received_at: z.iso.datetime(),
  outcome: z.enum(SIGNAL_OUTCOMES),
  /** Why the signal was refused; null where it was accepted. */
  reason: Sentence.nullable(),
  /** The sender's id of it. */
  event_id: z.string().nullable(),
  /** The accepted target in words; null where the signal was refused. */
  target: z.string().nullable(),
})
export type SignalEntry = z.infer<typeof SignalEntry>

export const getSignals = route({
  method: 'GET',
  path: '/api/strategies/:id/signals',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The newest signals that a strategy received, accepted and refused ones, and whether it has an address.',
  params,
  answer: Success.extend({
    has_address: z.boolean(),
    address_created_at: z.iso.datetime().nullable(),
    accepted: z.int(),
    /** The target that a decision would use now, in words. */
    current: z.string().nullable(),
    entries: z.array(SignalEntry),
  }),
})

export const createSignalAddress = route({
  method: 'POST',
  path: '/api/strategies/:id/signals/address',
  access: 'signed in',
  addsRows: true,
  tag,
  summary:
    'Make the address and the secret with which signals are sent to a strategy of the type External signal. Both are ' +
    'answered once; the previous ones stop working.',
  params,
  answer: Success.extend({ path: z.string(), secret: z.string() }),
})

export const deleteSignalAddress = route({
  method: 'DELETE',
  path: '/api/strategies/:id/signals/address',
  access: 'signed in',
  tag,
  summary: 'End the address of a strategy: no further signals are accepted. Accepted ones stay.',
  params,
  answer: Success,
})

export const receiveSignal = route({
  method: 'POST',
  path: `${SIGNALS_PATH}:address`,
  access: 'anyone',
  scope: 'any key',
  tag,
  summary:
    'Send a signal: the name of an allocation of the strategy, or weights within its limits. Signed by the headers ' +
    'X-Tradewright-Timestamp and X-Tradewright-Signature, or with secret and time in the body. The same id again is ' +
    'answered with doubled: true, and nothing is done twice. Orders cannot be sent.',
  params: z.object({ address: z.string().max(100) }),
  body: z.object({
    id: z
      .string('id must be text.')
      .min(1, 'id must not be empty.')
      .max(200, 'id has at most 200 characters.')
      .optional()
      .describe('Of this event, chosen by the sender. Needed with a signature; else made from time and target.'),
    allocation: z.string('allocation must be the name of an allocation.').max(100).optional(),
    weights: z
      .record(Ticker, z.number('A weight must be a number of percent.'))
      .refine((weights) => Object.keys(weights).length <= 50, 'At most 50 weights are allowed.')
      .meta({ maxProperties: 50 })
      .optional()
      .describe('Percentages by ticker.'),
    secret: z.string().max(200).optional().describe('In place of a signature, for senders that cannot sign.'),
    time: z.string().max(40).optional().describe('When it was sent, like 2026-03-04T20:55:00Z; needed with secret.'),
  }),
  answer: Success.extend({ message: Sentence, id: z.string(), doubled: z.boolean() }),
})
