import { PROPOSAL_STATES } from '@tradewright/core/proposal-states'
import { z } from 'zod'
import { LeftOutCount, Sentence, Success } from './answers.ts'
import { PathId } from './ids.ts'
import { route } from './route.ts'

const tag = 'Proposals'

/** Every text but `reason` and the quoted names is written by the server from the proposal's typed content. */
export const ProposalItem = z.object({
  id: z.int(),
  kind: z.string(),
  /** Name of the API key that proposed it. */
  origin: z.string(),
  title: z.string(),
  /** What it is about: a deployment's name, or the screen. */
  subject: z.string(),
  state: z.enum(PROPOSAL_STATES),
  real_money: z.boolean(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  answered_at: z.iso.datetime().nullable(),
  /** What was done, or why it failed. */
  outcome: Sentence.nullable(),
})
export type ProposalItem = z.infer<typeof ProposalItem>

export const Proposal = ProposalItem.extend({
  /** The words of the agent or script that proposed it, as one line. They describe nothing that the server has checked. */
  reason: Sentence.nullable(),
  /** What accepting does: a setting, what it is now (null where there is nothing yet), and what it would be. */
  changes: z.array(z.object({ label: z.string(), before: z.string().nullable(), after: z.string() })),
  /** What to know before accepting. */
  notices: z.array(Sentence),
  /** Why it cannot be accepted now. */
  obstacle: Sentence.nullable(),
  /** Changes with what is shown. Accepting sends it back, so that only what was shown is accepted. */
  fingerprint: z.string(),
  /** Screen to go to once it is accepted. */
  link: z.string().nullable(),
})
export type Proposal = z.infer<typeof Proposal>

const params = z.object({ id: PathId })

export const listProposals = route({
  method: 'GET',
  path: '/api/proposals',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'What agents and scripts have proposed: open proposals, soonest expiry first, and the newest answered ones.',
  answer: z.object({ open: z.array(ProposalItem), answered: z.array(ProposalItem), left_out: LeftOutCount }),
})

export const getProposal = route({
  method: 'GET',
  path: '/api/proposals/:id',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'One proposal, with what accepting it would change as things stand now.',
  params,
  answer: Proposal,
})

export const acceptProposal = route({
  method: 'POST',
  path: '/api/proposals/:id/accept',
  access: 'signed in',
  addsRows: true,
  tag,
  summary:
    'Carry out a proposal, once: everything is checked again now. A second call returns the answer of the first. ' +
    'Cannot be called with an API key.',
  params,
  body: z.object({ fingerprint: z.string('fingerprint is required.').max(100) }),
  answer: Success.extend({ proposal: Proposal }),
})

export const declineProposal = route({
  method: 'POST',
  path: '/api/proposals/:id/decline',
  access: 'signed in',
  tag,
  summary: 'Decline a proposal. Nothing is changed. Cannot be called with an API key.',
  params,
  answer: Success.extend({ proposal: Proposal }),
})
