import { plainLine } from '@tradewright/core/plain-line'
import type { ProposalState } from '@tradewright/core/proposal-states'
import { z } from 'zod'
import type { Actor } from '../live-trading/actor.ts'

/** One setting of a proposal: what it is now, null where there is nothing yet, and what it would be. */
export interface Change {
  readonly label: string
  readonly before: string | null
  readonly after: string
}

/** Our words for a proposal, made from its typed content and from what is stored now. */
export interface Description {
  readonly title: string
  /** What it is about: a deployment's name, or the screen. */
  readonly subject: string
  readonly changes: readonly Change[]
  readonly notices: readonly string[]
  readonly isRealMoney: boolean
  /** Hash of everything that accepting would use and that is stored elsewhere: a strategy as it would run. */
  readonly basis?: string
}

export interface Accepted {
  /** A sentence about what was done. */
  readonly outcome: string
  /** Screen that shows it. */
  readonly link: string
}

/** A user who has pressed Accept, in a session of their own. */
export interface Acceptor {
  readonly userId: number
  readonly actor: Actor
}

/** A kind of change that can be proposed. There is none that trades, and none that deletes. */
interface ProposalKind<Content = unknown> {
  /** `save_strategy`; the tool that proposes it is `propose_save_strategy`. */
  readonly kind: string
  /** For the agent. */
  readonly description: string
  readonly content: z.ZodType<Content>
  /** A Problem where it cannot be accepted as things stand. */
  describe(userId: number, content: Content): Promise<Description>
  /**
   * Carries the proposal out by the use case of the screen, which checks everything again. `basis` is that of the
   * accepted description.
   */
  accept(acceptor: Acceptor, content: Content, basis?: string): Promise<Accepted>
}

// oxlint-disable-next-line typescript/no-explicit-any
export type AnyProposalKind = ProposalKind<any>

export const defineProposal = <Content>(kind: ProposalKind<Content>): ProposalKind<Content> => kind

/** A proposal as its row has it. */
export interface StoredProposal {
  readonly id: number
  readonly userId: number
  readonly kind: string
  readonly content: unknown
  readonly description: Description
  readonly reason: string | null
  readonly origin: string
  readonly keyId: string
  readonly state: Exclude<ProposalState, 'expired'> | 'accepting'
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly answeredAt: Date | null
  readonly outcome: string | null
  readonly link: string | null
}

const MAX_QUOTED = 80

/** What a proposal names: a name that shows nothing could not be told from another. */
export const proposedName = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine((name) => plainLine(name, maxLength) !== '', 'must have letters that can be seen')

/** Quotation marks and signs that look like them: a name must not end the quotes that are put around it. */
const QUOTES = /[“”„‟❝❞〝〞＂]/g

/** A name in our sentences: between quotes, one line, and nothing in it that hides or turns text. */
export const quoted = (name: string): string => `“${plainLine(name, MAX_QUOTED).replaceAll(QUOTES, '"')}”`
