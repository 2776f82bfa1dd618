import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { DAY } from '@tradewright/core/time'
import { network } from '../auth/network.ts'
import type { AttemptCounters } from '../auth/ports.ts'
import { hashSecret, looksLikeSecret, newSecret } from '../auth/secret.ts'
import { tooMany } from '../auth/throttle.ts'
import type { ResultLink, ResultLinkStore, SharedBacktest } from './ports.ts'
import { type BacktestReader, findBacktest } from './saved-backtests.ts'
import type { SavedBacktest } from './saved-backtest.ts'

const MAX_LINKS = 100
/** From one address, pages and calls together: a page makes one call. */
const VIEWS_A_MINUTE = 60
const MINUTE_MS = 60_000

interface LinkDeps {
  readonly links: ResultLinkStore
  readonly clock: Clock
}

export interface ResultLinkDeps extends LinkDeps, BacktestReader {
  readonly counters: Pick<AttemptCounters, 'add'>
}

export const ownLinks = ({ links, clock }: LinkDeps, userId: number): Promise<ResultLink[]> =>
  links.list(userId, clock.now())

/** The token is told here and never again: only its hash is stored. */
export async function createLink(
  { links, clock }: LinkDeps,
  userId: number,
  backtestId: number,
  { days, withPassport }: { days: number; withPassport: boolean },
): Promise<{ link: ResultLink; token: string }> {
  const now = clock.now()
  const token = newSecret()
  const expiresAt = new Date(now.getTime() + days * DAY)
  const added = { backtestId, tokenHash: hashSecret(token), createdAt: now, expiresAt, withPassport }
  const link = await links.add(userId, added, MAX_LINKS)
  if (link === 'full') throw tooManyLinks()
  if (!link) throw new Problem('missing', 'backtest.missing', 'There is no such backtest.')
  return { link, token }
}

export async function revokeLink({ links }: LinkDeps, userId: number, id: number): Promise<void> {
  if (!(await links.remove(userId, id))) throw new Problem('missing', 'result-link.missing', 'There is no such link.')
}

/** Counts a view of a shared result, whether it exists or not, and refuses too many of them. */
export async function countView({ counters, clock }: ResultLinkDeps, address: string): Promise<void> {
  const now = clock.now()
  const ends = new Date(now.getTime() + MINUTE_MS)
  const { attempts, windowEndsAt } = await counters.add(`shared results ${network(address)}`, now, ends)
  if (attempts > VIEWS_A_MINUTE) throw tooMany('visits to shared results', windowEndsAt, now)
}

/** What is behind a link; undefined where it is unknown, expired or revoked. */
export const findShared = async ({ links, clock }: LinkDeps, token: string): Promise<SharedBacktest | undefined> =>
  looksLikeSecret(token) ? links.find(hashSecret(token), clock.now()) : undefined

/** The result behind a link. What is unknown, expired or revoked cannot be told apart. */
export async function sharedResult(
  deps: ResultLinkDeps,
  token: string,
): Promise<{ backtest: SavedBacktest; expiresAt: Date; withPassport: boolean }> {
  const { userId, backtestId, expiresAt, withPassport } = (await findShared(deps, token)) ?? notShared()
  return { backtest: await findBacktest(deps, userId, backtestId), expiresAt, withPassport }
}

export function notShared(): never {
  throw new Problem(
    'missing',
    'shared-result.missing',
    'There is no shared result at this address. The link may be mistyped, expired or revoked.',
  )
}

const tooManyLinks = () =>
  new Problem(
    'conflict',
    'result-link.limit',
    `You share ${MAX_LINKS} links, which is the limit. Revoke one that is no longer needed.`,
  )
