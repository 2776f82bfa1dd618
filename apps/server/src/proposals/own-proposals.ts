import type { Clock } from '@tradewright/core/clock'
import { plainLine } from '@tradewright/core/plain-line'
import { Problem, sentenceFor } from '@tradewright/core/problem'
import {
  MAX_ANSWERED_PROPOSALS,
  MAX_OPEN_PROPOSALS,
  MAX_REASON_LENGTH,
  PROPOSAL_DAYS,
  type ProposalState,
} from '@tradewright/core/proposal-states'
import { DAY, MINUTE } from '@tradewright/core/time'
import { createHash } from 'node:crypto'
import type { Accepted, Acceptor, AnyProposalKind, Description, StoredProposal } from './proposal.ts'

export interface ProposalDeps {
  readonly proposals: ProposalStore
  readonly kinds: readonly AnyProposalKind[]
  readonly clock: Clock
  readonly onBug: (error: unknown, kind: string) => void
}

/** Longest content, as JSON. A strategy's settings have some 20,000 characters at most. */
const MAX_CONTENT_LENGTH = 40_000
/** No use case takes that long: the program ended while it carried the proposal out. */
const LOST_AFTER_MS = 10 * MINUTE

interface Wish {
  readonly kind: AnyProposalKind
  /** Parsed by the kind's schema. */
  readonly content: unknown
  readonly reason: string | null
  readonly key: { readonly id: string; readonly name: string }
}

export interface ProposalItem extends Omit<StoredProposal, 'state'> {
  readonly state: ProposalState
}

/** A proposal with what accepting it would do now; of an answered one, as it was then. */
export interface ProposalView extends ProposalItem {
  /** Why it cannot be accepted now. */
  readonly obstacle: string | null
  readonly fingerprint: string
}

/** Keeps a proposal for the user to answer. Nothing else is changed. */
export async function propose(
  { proposals, clock }: ProposalDeps,
  userId: number,
  { kind, content, reason, key }: Wish,
): Promise<{ id: number; description: Description; expiresAt: Date }> {
  if (JSON.stringify(content).length > MAX_CONTENT_LENGTH) {
    throw new Problem('too-large', 'proposal.size', 'The proposal is too large.')
  }
  const description = await kind.describe(userId, content)
  const createdAt = clock.now()
  const expiresAt = new Date(createdAt.getTime() + PROPOSAL_DAYS * DAY)
  const words = reason === null ? '' : plainLine(reason, MAX_REASON_LENGTH)
  const id = await proposals.add(
    userId,
    {
      kind: kind.kind,
      content,
      description,
      reason: words === '' ? null : words,
      origin: key.name,
      keyId: key.id,
      createdAt,
      expiresAt,
    },
    { open: MAX_OPEN_PROPOSALS, answered: MAX_ANSWERED_PROPOSALS },
  )
  if (id !== undefined) return { id, description, expiresAt }
  const sentence = `${MAX_OPEN_PROPOSALS} proposals wait for an answer already. Ask the user to answer some of them.`
  throw new Problem('limited', 'proposal.many', sentence)
}

/** Open ones, soonest expiry first, and answered ones, newest first. */
export async function listProposals({ proposals, clock }: ProposalDeps, userId: number) {
  const items = (await proposals.list(userId)).map((one) => standing(one, clock.now()))
  const open = items.filter(({ state }) => state === 'open').toSorted((a, b) => +a.expiresAt - +b.expiresAt)
  const answered = items
    .filter(({ state }) => state !== 'open')
    .toSorted((a, b) => +(b.answeredAt ?? b.expiresAt) - +(a.answeredAt ?? a.expiresAt))
  return { open, answered }
}

export async function findProposal(deps: ProposalDeps, userId: number, id: number): Promise<ProposalView> {
  const found = await deps.proposals.find(userId, id)
  if (!found) throw missing()
  return viewOf(deps, found)
}

/**
 * Carries an open proposal out, once. `fingerprint` is that of the view which the user saw: where accepting would do
 * something else by now, it is refused and stays open.
 */
export async function acceptProposal(
  deps: ProposalDeps,
  acceptor: Acceptor,
  id: number,
  fingerprint: string,
): Promise<ProposalView> {
  const { proposals, clock } = deps
  const { userId } = acceptor
  const shown = await findProposal(deps, userId, id)
  if (shown.state === 'accepted' || shown.state === 'failed') return shown
  refuseAnswered(shown)
  if (shown.obstacle !== null) throw new Problem('conflict', 'proposal.obstacle', shown.obstacle)
  if (shown.fingerprint !== fingerprint) {
    const sentence = 'What this proposal would do has changed since it was shown. Read it again before you accept it.'
    throw new Problem('conflict', 'proposal.changed', sentence)
  }
  if (!(await proposals.begin(userId, id, clock.now(), shown.description))) return afterRace(deps, userId, id)
  const kind = kindOf(deps, shown)
  const work = () => kind.accept(acceptor, kind.content.parse(shown.content), shown.description.basis)
  const answer = await carriedOut(deps, kind, work)
  await proposals.answer(userId, id, { ...answer, at: clock.now() })
  return findProposal(deps, userId, id)
}

async function carriedOut({ onBug }: ProposalDeps, kind: AnyProposalKind, work: () => Promise<Accepted>) {
  try {
    const accepted = await work()
    return { state: 'accepted' as const, ...accepted }
  } catch (error) {
    if (!(error instanceof Problem)) onBug(error, kind.kind)
    return { state: 'failed' as const, outcome: sentenceFor(error), link: null }
  }
}

/** Another call was quicker: it was answered meanwhile, or is being carried out. */
async function afterRace(deps: ProposalDeps, userId: number, id: number): Promise<ProposalView> {
  const now = await findProposal(deps, userId, id)
  if (now.state !== 'accepted' && now.state !== 'failed') refuseAnswered(now)
  return now
}

export async function declineProposal(deps: ProposalDeps, userId: number, id: number): Promise<ProposalView> {
  const { proposals, clock } = deps
  const shown = await findProposal(deps, userId, id)
  if (shown.state === 'declined') return shown
  refuseAnswered(shown)
  const answer = { state: 'declined' as const, at: clock.now(), outcome: null, link: null }
  if (!(await proposals.answer(userId, id, answer))) refuseAnswered(await findProposal(deps, userId, id))
  return findProposal(deps, userId, id)
}

const ALREADY: Record<Exclude<ProposalState, 'open'>, string> = {
  accepted: 'This proposal was already accepted.',
  declined: 'This proposal was already declined.',
  expired: 'This proposal has expired. It can be proposed again.',
  failed: 'This proposal was accepted, and failed. It can be proposed again.',
}

function refuseAnswered({ state }: ProposalView): void {
  if (state !== 'open') throw new Problem('conflict', `proposal.${state}`, ALREADY[state])
}

const UNFINISHED = 'It is being carried out.'
const LOST =
  'The program ended while this was carried out. Check whether it was done before you have it proposed again.'

function standing(stored: StoredProposal, now: Date): ProposalItem {
  if (stored.state === 'accepting') {
    const isLost = now.getTime() - (stored.answeredAt ?? stored.createdAt).getTime() > LOST_AFTER_MS
    return { ...stored, state: isLost ? 'failed' : 'accepted', outcome: isLost ? LOST : UNFINISHED }
  }
  if (stored.state === 'open' && stored.expiresAt <= now) return { ...stored, state: 'expired' }
  return { ...stored, state: stored.state }
}

async function viewOf(deps: ProposalDeps, stored: StoredProposal): Promise<ProposalView> {
  const item = standing(stored, deps.clock.now())
  if (item.state !== 'open') return { ...item, obstacle: null, fingerprint: fingerprintOf(item, item.description) }
  try {
    const kind = kindOf(deps, stored)
    const description = await kind.describe(stored.userId, kind.content.parse(stored.content))
    return { ...item, description, obstacle: null, fingerprint: fingerprintOf(item, description) }
  } catch (error) {
    if (!(error instanceof Problem)) deps.onBug(error, stored.kind)
    return { ...item, obstacle: sentenceFor(error), fingerprint: fingerprintOf(item, item.description) }
  }
}

function kindOf({ kinds }: Pick<ProposalDeps, 'kinds'>, { kind }: Pick<StoredProposal, 'kind'>): AnyProposalKind {
  const known = kinds.find((one) => one.kind === kind)
  if (known) return known
  throw new Problem('conflict', 'proposal.kind', 'This version of the program does not know this kind of proposal.')
}

const fingerprintOf = ({ id, content }: ProposalItem, description: Description): string =>
  createHash('sha256')
    .update(JSON.stringify([id, content, description]))
    .digest('base64url')

const missing = () => new Problem('missing', 'proposal.missing', 'There is no such proposal.')

type NewProposal = Pick<
  StoredProposal,
  'kind' | 'content' | 'description' | 'reason' | 'origin' | 'keyId' | 'createdAt' | 'expiresAt'
>

interface Answer {
  readonly state: 'accepted' | 'declined' | 'failed'
  readonly at: Date
  readonly outcome: string | null
  readonly link: string | null
}

/** The proposals of one user at a time: another's do not exist. Every change is announced to all processes. */
export interface ProposalStore {
  /** Undefined where the user has so many open ones already. Of answered ones, the newest are kept. */
  add(userId: number, proposal: NewProposal, most: { open: number; answered: number }): Promise<number | undefined>
  /** Newest first. */
  list(userId: number): Promise<StoredProposal[]>
  find(userId: number, id: number): Promise<StoredProposal | undefined>
  countOpen(userId: number, now: Date): Promise<number>
  /** Takes an open one to be carried out: of two calls, one gets true. Its wording is kept as it was accepted. */
  begin(userId: number, id: number, now: Date, description: Description): Promise<boolean>
  /** Ends one that is open (when declined) or being carried out. Answers whether it was. */
  answer(userId: number, id: number, answer: Answer): Promise<boolean>
}
