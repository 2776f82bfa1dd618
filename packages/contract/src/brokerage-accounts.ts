import {
  allCredentials,
  brokerIds,
  brokersWithKeys,
  builtInBrokers,
  type CredentialWireKey,
  paperFillModels,
} from '@tradewright/core/broker-catalogue'
import { z } from 'zod'
import { LeftOutCount, Sentence, Success } from './answers.ts'
import { idParams } from './data-collector-fields.ts'
import { route } from './route.ts'

const ACCOUNT_NAME_MAX_LENGTH = 100
export const ENTER_ACCOUNT_FIELDS = 'Please enter account name, API Key and Secret'
export const ACCOUNT_NAME_EMPTY = 'Account name cannot be empty'

/**
 * `verified`: the broker knows the keys. `not_verified`: it could not be asked yet. `rejected`: it refused them since.
 * `enter_again`: the stored keys can no longer be read. Only a verified account trades.
 */
const ACCOUNT_STATUSES = ['verified', 'not_verified', 'rejected', 'enter_again'] as const

/** Keys never come back. */
export const BrokerageAccount = z.object({
  id: z.int(),
  account_name: z.string(),
  is_default: z.boolean(),
  paper_trading: z.boolean(),
  last_connected_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  broker: z.enum(brokerIds),
  status: z.enum(ACCOUNT_STATUSES),
  /** Why it is not verified, as a sentence; null where it is. */
  status_reason: Sentence.nullable(),
  /** The broker's host where the operator has configured another one than the real; null otherwise. */
  custom_host: z.string().nullable(),
  /** What borrowed shares cost on a built-in account, in percent a year; null where the broker sets it. */
  short_borrow_pct: z.number().nullable(),
  /** How a built-in account fills orders; null where the market does. */
  fill_model: z.enum(paperFillModels).nullable(),
})
export type BrokerageAccount = z.infer<typeof BrokerageAccount>

/** Empty fields are refused with the sentences of the form, so they are let in here. */
const field = (limit: number) => z.string().trim().max(limit).nullish()

/** A field for each value that any broker asks for. */
const credentials = Object.fromEntries(allCredentials.map(({ wireKey }) => [wireKey, field(500)])) as Record<
  CredentialWireKey,
  ReturnType<typeof field>
>

export const AddAccountBody = z.object({
  broker: z.enum(brokersWithKeys.map(({ id }) => id)).default('alpaca'),
  account_name: field(ACCOUNT_NAME_MAX_LENGTH),
  ...credentials,
  paper_trading: z.boolean().default(true),
  is_default: z.boolean().default(false),
})
export type AddAccountBody = z.input<typeof AddAccountBody>

/** What borrowed shares cost, in percent a year. */
const BorrowRate = z.number().min(0).max(1000).nullish()

/** `last_price` fills whole at the last price; `market` by half the spread, and by a tenth of each minute's volume. */
const FillModel = z.enum(paperFillModels).nullish()

/** The keys are optional: all given, they are checked and replace the stored ones. */
export const ChangeAccountBody = z.object({
  account_name: field(ACCOUNT_NAME_MAX_LENGTH),
  /** For a built-in account, charged from the next night on; left out, the rate stays as it is. */
  short_borrow_pct: BorrowRate,
  /** For a built-in account; left out, it stays as it is. */
  fill_model: FillModel,
  ...credentials,
})
export type ChangeAccountBody = z.input<typeof ChangeAccountBody>

const PaperAccountBody = z.object({
  /** Each built-in broker has rules of its own. */
  broker: z.enum(builtInBrokers.map(({ id }) => id)).default('paper'),
  account_name: field(ACCOUNT_NAME_MAX_LENGTH),
  /** Costs in basis points of the traded value. */
  trading_cost_bps: z.number().min(0).max(1000).nullish(),
  /** At most this percent of an order is filled at a time; 100 fills it whole. */
  partial_fill_pct: z.number().min(1).max(100).nullish(),
  short_borrow_pct: BorrowRate,
  fill_model: FillModel,
})
type PaperAccountBody = z.input<typeof PaperAccountBody>

const tag = 'Brokerage accounts'
const AccountAnswer = Success.extend({
  account: BrokerageAccount,
  /** A sentence for the user, such as that it is not verified yet; null when there is nothing to say. */
  message: Sentence.nullable(),
})

export const listAccounts = route({
  method: 'GET',
  path: '/api/alpaca/accounts',
  access: 'signed in',
  tag,
  summary: 'The brokerage accounts of the signed-in user, the default one first, then by age.',
  answer: Success.extend({ accounts: z.array(BrokerageAccount), left_out: LeftOutCount }),
})

export const addAccount = route({
  method: 'POST',
  path: '/api/alpaca/accounts',
  access: 'signed in',
  addsRows: true,
  tag,
  summary:
    'Add an account at a broker, after its keys were checked there. Rejected keys are not saved; where the broker cannot ' +
    'be reached, the account is saved as not verified and cannot trade until it is. The first account is the default.',
  body: AddAccountBody,
  answer: AccountAnswer,
})

export const addPaperAccount = route({
  method: 'POST',
  path: '/api/alpaca/paper-account',
  access: 'signed in',
  addsRows: true,
  tag,
  summary: 'Add the built-in paper account with $100,000 of virtual money. A user has one; another call returns it.',
  body: PaperAccountBody,
  answer: AccountAnswer,
})

export const changeAccount = route({
  method: 'PUT',
  path: '/api/alpaca/accounts/:id',
  access: 'signed in',
  tag,
  summary: 'Rename an account; with api_key and api_secret, also replace its keys after they were checked.',
  params: idParams,
  body: ChangeAccountBody,
  answer: AccountAnswer,
})

export const setDefaultAccount = route({
  method: 'POST',
  path: '/api/alpaca/accounts/:id/set-default',
  access: 'signed in',
  tag,
  summary: 'Make an account the default one.',
  params: idParams,
  answer: Success,
})

export const verifyAccount = route({
  method: 'POST',
  path: '/api/alpaca/accounts/:id/verify',
  access: 'signed in',
  tag,
  summary: 'Check the keys of an account with its broker now.',
  params: idParams,
  answer: AccountAnswer,
})

export const deleteAccount = route({
  method: 'DELETE',
  path: '/api/alpaca/accounts/:id',
  access: 'signed in',
  tag,
  summary:
    'Delete an account with its keys and cached history. Refused with 409 and their names while deployments use it; ' +
    'the oldest remaining account becomes the default when the default is deleted.',
  params: idParams,
  answer: Success,
})
