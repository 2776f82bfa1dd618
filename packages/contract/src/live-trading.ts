import { z } from 'zod'
import { LeftOutCount, Sentence, Success } from './answers.ts'
import { limitField, pageField, PathId, rowIdOf } from './ids.ts'
import {
  Confirmation,
  AccountPosition,
  ACTIVITY_LIMIT,
  ActivityItem,
  CONTRIBUTION_TYPES,
  CONTROL_ACTIONS,
  DEFAULT_RAW_LINES,
  DeployableStrategy,
  Deployment,
  LEDGER_ENTRY_TYPES,
  LEDGER_PAGE_SIZE,
  LedgerEntry,
  LedgerPagination,
  MappingValidation,
  STOPPED_POSITIONS,
  TICKER_CHOICES,
  TickerValidation,
  TradingAccount,
  VolumeShare,
} from './live-trading-fields.ts'
import {
  CreateDeploymentBody,
  CreateWithPositionsBody,
  TickerMapping,
  UpdateDeploymentBody,
} from './live-trading-form.ts'
import { route } from './route.ts'

const tag = 'Live trading'
const params = z.object({ id: PathId })
const DeploymentAnswer = Success.extend({ deployment: Deployment })

export const listDeployments = route({
  method: 'GET',
  path: '/api/deployment/list',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The deployments of the signed-in user, newest first.',
  answer: Success.extend({ deployments: z.array(Deployment), left_out: LeftOutCount }),
})

export const listDeployableStrategies = route({
  method: 'GET',
  path: '/api/deployment/strategies',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'Saved strategies as the deploy form shows them; those that cannot be deployed say why.',
  answer: Success.extend({ strategies: z.array(DeployableStrategy), left_out: LeftOutCount }),
})

export const listTradingAccounts = route({
  method: 'GET',
  path: '/api/deployment/accounts',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'Brokerage accounts with what is allocated in them and what is left. A broker that fails leaves nulls.',
  answer: Success.extend({ accounts: z.array(TradingAccount) }),
})

export const listAccountPositions = route({
  method: 'GET',
  path: '/api/deployment/account/:id/positions',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'Positions of an account, and which deployments own how much of each.',
  params,
  answer: Success.extend({ positions: z.array(AccountPosition) }),
})

/** Without `entry_types` and `search` it is the whole ledger; with them, counts and pages are of what matches. */
export const LedgerQuery = z.object({
  page: pageField,
  page_size: limitField('page_size', 500, LEDGER_PAGE_SIZE),
  entry_types: z
    .string()
    .max(1_000)
    .optional()
    .transform((text) => (text === undefined ? undefined : text.split(',').map((type) => type.trim())))
    .pipe(z.array(z.enum(LEDGER_ENTRY_TYPES)).optional()),
  search: z.string().trim().max(200).optional(),
})

export const getDeploymentDetails = route({
  method: 'GET',
  path: '/api/deployment/:id/details',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'A deployment with a page of its ledger, newest entries first.',
  params,
  query: LedgerQuery,
  answer: Success.extend({
    error: Sentence.nullable(),
    deployment: Deployment.extend({
      ledger_entries: z.array(LedgerEntry),
      ledger_pagination: LedgerPagination,
      /** Types that the whole ledger of the deployment has. */
      ledger_entry_types: z.array(z.enum(LEDGER_ENTRY_TYPES)),
      account: TradingAccount.nullable(),
    }),
  }),
})

export const getDeployment = route({
  method: 'GET',
  path: '/api/deployment/:id',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'One deployment.',
  params,
  answer: DeploymentAnswer,
})

export const controlDeployment = route({
  method: 'POST',
  path: '/api/deployment/:id/control',
  urgent: true,
  access: 'signed in',
  asksFactor: 'real money',
  scope: 'trade',
  tag,
  summary:
    'Start, pause, resume or stop. A stop cancels open orders; it keeps the positions, or sells all of them, also those of a ' +
    'deployment that was stopped before. A move that the state does not allow answers 409. Start and resume on an account ' +
    'with real money answer 400 without the confirmation.',
  params,
  body: z.object({
    action: z.enum(CONTROL_ACTIONS, `The action must be one of ${CONTROL_ACTIONS.join(', ')}.`),
    /** For `stop`: what becomes of the positions. */
    positions: z.enum(STOPPED_POSITIONS, `Positions must be one of ${STOPPED_POSITIONS.join(', ')}.`).default('keep'),
    /** For `start` and `resume` on an account with real money: the deployment's name. */
    confirmation: Confirmation,
  }),
  answer: DeploymentAnswer,
})

const changedTicker = (name: string) =>
  z.string(`Please say which ticker it is (${name}).`).trim().min(1).max(40, `${name} is not a ticker.`)

export const chooseTicker = route({
  method: 'POST',
  path: '/api/deployment/:id/ticker-change',
  access: 'signed in',
  scope: 'trade',
  tag,
  summary:
    'Answer a ticker change: `trade` maps the old ticker to the new one, `sell` lets the next decision sell the new one. ' +
    'A change that is not there, or no longer, answers 409.',
  params,
  body: z.object({
    from: changedTicker('from'),
    to: changedTicker('to'),
    action: z.enum(TICKER_CHOICES, `The action must be one of ${TICKER_CHOICES.join(', ')}.`),
  }),
  answer: DeploymentAnswer,
})

const HELD_ORDER_CHOICES = ['send', 'leave'] as const

export const answerHeldOrder = route({
  method: 'POST',
  path: '/api/deployment/:id/held-order',
  access: 'signed in',
  scope: 'trade',
  tag,
  summary:
    'Answer for an order that was cancelled at the broker or refused: `send` sends it again with the next check, which is ' +
    'made at once where the market is open; `leave` leaves it out until the signal changes or a rebalance is due. An order ' +
    'that is not asked about answers 409.',
  params,
  body: z.object({
    ticker: changedTicker('ticker'),
    side: z.enum(['buy', 'sell'], 'The side must be buy or sell.'),
    action: z.enum(HELD_ORDER_CHOICES, `The action must be one of ${HELD_ORDER_CHOICES.join(', ')}.`),
  }),
  answer: DeploymentAnswer,
})

export const deleteDeployment = route({
  method: 'DELETE',
  path: '/api/deployment/:id/delete',
  access: 'signed in',
  scope: 'trade',
  tag,
  summary:
    'Delete a stopped or created deployment: its money and positions become unallocated, its model, logs and history go.',
  params,
  answer: Success.extend({ message: Sentence }),
})

const CreateAnswer = DeploymentAnswer.extend({
  deployment_id: z.int(),
  /** Why auto_start did not start it, as a sentence; it exists as `created` then. */
  start_error: Sentence.nullable(),
})

export const createDeployment = route({
  method: 'POST',
  path: '/api/deployment/create',
  access: 'signed in',
  asksFactor: 'real money',
  scope: 'trade',
  idempotent: true,
  addsRows: true,
  tag,
  summary: 'Deploy a strategy with cash: an amount, or a percent of the account.',
  body: CreateDeploymentBody,
  answer: CreateAnswer,
})

export const createDeploymentWithPositions = route({
  method: 'POST',
  path: '/api/deployment/create-with-positions',
  access: 'signed in',
  asksFactor: 'real money',
  scope: 'trade',
  idempotent: true,
  addsRows: true,
  tag,
  summary: 'Deploy a strategy with positions of the account and extra cash.',
  body: CreateWithPositionsBody,
  answer: CreateAnswer,
})

export const updateDeployment = route({
  method: 'PUT',
  path: '/api/deployment/:id/update',
  access: 'signed in',
  asksFactor: 'real money',
  scope: 'trade',
  tag,
  summary: 'Change everything but the capital. Refused while it runs.',
  params,
  body: UpdateDeploymentBody,
  answer: DeploymentAnswer.extend({ error: Sentence.nullable() }),
})

const note = z.string().trim().max(1000, 'The note is too long (at most 1000 characters).').nullish()

export const contribute = route({
  method: 'POST',
  path: '/api/deployment/:id/contributions',
  access: 'signed in',
  scope: 'trade',
  idempotent: true,
  tag,
  summary: 'Pay cash in or out of a deployment with a fixed contribution.',
  params,
  body: z.object({
    amount: z.union([z.number(), z.string().max(100)], 'Please enter a positive contribution amount.').nullish(),
    contribution_type: z.enum(CONTRIBUTION_TYPES, 'contribution_type must be CONTRIBUTION or WITHDRAWAL.'),
    note,
  }),
  answer: DeploymentAnswer.extend({ error: Sentence.nullable(), message: Sentence }),
})

export const disallocate = route({
  method: 'POST',
  path: '/api/deployment/:id/disallocate',
  access: 'signed in',
  scope: 'trade',
  idempotent: true,
  tag,
  summary: 'Give a percent of the current capital, cash and positions alike, back to the account.',
  params,
  body: z.object({ disallocation_pct: z.union([z.number(), z.string().max(100)]).nullish(), note }),
  answer: Success.extend({
    disallocation_summary: z.object({
      disallocation_pct: z.number(),
      disallocation_amount: z.number(),
      new_total: z.number(),
    }),
  }),
})

const Leverage = z.coerce.number().default(1)
const accountId = z
  .union([z.number(), z.string().max(100)])
  .nullish()
  .transform(rowIdOf)

export const validateAsset = route({
  method: 'POST',
  path: '/api/asset/validate',
  access: 'signed in',
  scope: 'read',
  changesNothing: true,
  tag,
  summary:
    'Whether a ticker can be traded in an account with this leverage. With signal_ticker, another symbol than the ' +
    'signal’s is taken to realise the leverage itself.',
  body: z.object({
    ticker: z.string().trim().min(1, 'The ticker is missing.').max(60),
    leverage: Leverage,
    account_id: accountId,
    signal_ticker: z.string().trim().max(60).nullish(),
  }),
  answer: Success.extend({ validation: TickerValidation }),
})

export const validateMapping = route({
  method: 'POST',
  path: '/api/asset/validate-mapping',
  access: 'signed in',
  scope: 'read',
  changesNothing: true,
  tag,
  summary: 'The same for a whole ticker mapping. CASHX is never validated.',
  body: z.object({ ticker_mapping: TickerMapping, account_id: accountId }),
  answer: Success.extend({ validation: MappingValidation }),
})

export const getVolumeShares = route({
  method: 'POST',
  path: '/api/deployment/volume-shares',
  access: 'signed in',
  scope: 'read',
  changesNothing: true,
  tag,
  summary: 'The largest orders that a strategy may send with this capital, against the average volume of each ticker.',
  body: z.object({
    strategy_id: z.union([z.number(), z.string().max(100)]).transform(rowIdOf),
    ticker_mapping: TickerMapping,
    /** In dollars. */
    capital: z.coerce.number('The capital must be a number.').min(0).max(1e15),
  }),
  answer: Success.extend({ volumes: z.array(VolumeShare) }),
})

export const getActivity = route({
  method: 'GET',
  path: '/api/deployment/:id/activity',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'Signals, trades and events, newest first.',
  params,
  query: z.object({ limit: limitField('limit', 1000, ACTIVITY_LIMIT) }),
  answer: Success.extend({ activity: z.array(ActivityItem), left_out: LeftOutCount }),
})

export const getLogTail = route({
  method: 'GET',
  path: '/api/deployment/:id/logs/tail',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The last lines of the log, oldest first: `timestamp - [LEVEL] - logger - function:line - message`, in UTC.',
  params,
  query: z.object({ lines: limitField('lines', 10_000, DEFAULT_RAW_LINES) }),
  answer: Success.extend({ lines: z.array(z.string()) }),
})
