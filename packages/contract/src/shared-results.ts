import { z } from 'zod'
import { Success } from './answers.ts'
import { BacktestResult } from './backtest-result.ts'
import { PathId } from './ids.ts'
import { Passport } from './passports.ts'
import { route } from './route.ts'

const tag = 'Shared results'
const params = z.object({ id: PathId })

/** Days for which a link works, in the form's order. */
export const LINK_DAYS = [7, 30, 365] as const
export const DEFAULT_LINK_DAYS = 30
export const LinkBody = z.object({
  days: z.literal([...LINK_DAYS], `days must be one of ${LINK_DAYS.join(', ')}.`).default(DEFAULT_LINK_DAYS),
  /** Also share the passport: every trade with its price and quantity, and the signals that were received. */
  with_passport: z.boolean().default(false),
})

/** Where a link leads; its token follows. */
export const SHARED_PATH = '/shared/'

export const ResultLink = z.object({
  id: z.int(),
  backtest_id: z.int(),
  backtest_name: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  with_passport: z.boolean(),
})
export type ResultLink = z.infer<typeof ResultLink>

export const listResultLinks = route({
  method: 'GET',
  path: '/api/result-links',
  access: 'signed in',
  tag,
  summary:
    'The links that share results of the signed-in user and have not expired, newest first, without their tokens.',
  answer: z.object({ links: z.array(ResultLink) }),
})

export const createResultLink = route({
  method: 'POST',
  path: '/api/backtests/:id/links',
  access: 'signed in',
  addsRows: true,
  tag,
  summary:
    'Make a link with which anyone can see this one result, without an account. Its token is answered once and stored ' +
    'only as a hash.',
  params,
  body: LinkBody,
  answer: z.object({ link: ResultLink, token: z.string() }),
})

export const revokeResultLink = route({
  method: 'DELETE',
  path: '/api/result-links/:id',
  access: 'signed in',
  tag,
  summary: 'Revoke a link: it stops working at once.',
  params,
  answer: Success,
})

/** A result without what repeats other columns, and without rows that the page does not show. */
const SharedResult = BacktestResult.omit({ chart_data: true, ticker_dates: true, detailed_results: true })

const tokenParams = z.object({ token: z.string().max(200) })

export const getSharedResult = route({
  method: 'GET',
  path: '/api/shared/:token',
  access: 'anyone',
  scope: 'any key',
  tag,
  summary:
    'A shared result, by the token of its link, without anything about its owner: no ids, no rows of features and no ' +
    'trades. Unknown, expired and revoked links answer the same 404; many calls from one address answer 429.',
  params: tokenParams,
  answer: z.object({ expires_at: z.iso.datetime(), has_passport: z.boolean(), result: SharedResult }),
})

export const getSharedPassport = route({
  method: 'GET',
  path: '/api/shared/:token/passport',
  access: 'anyone',
  scope: 'any key',
  tag,
  summary:
    'The passport of a shared result, without rows, by the token of its link, where its owner shares it: it has every trade ' +
    'and signal, and anyone can verify it on an instance of their own. The same 404 and 429 as for the result.',
  params: tokenParams,
  answer: Passport,
})

/** The preview that messengers and social networks show of a link; its address is the link's with this behind it. */
export const SHARED_PICTURE = 'preview.png'
