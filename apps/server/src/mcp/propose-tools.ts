import { MAX_REASON_LENGTH, PROPOSAL_DAYS } from '@tradewright/core/proposal-states'
import { z } from 'zod'
import { listProposals, propose, type ProposalDeps, type ProposalItem } from '../proposals/own-proposals.ts'
import type { AnyProposalKind } from '../proposals/proposal.ts'
import { type AnyMcpTool, defineMcpTool } from './tool.ts'

const REASON = z
  .string()
  .max(MAX_REASON_LENGTH)
  .optional()
  .describe('Why, for the user. It is shown as your words, beside what Tradewright itself says it does.')

/** A tool for each kind of proposal, and one that tells what became of them. */
export const proposeTools = (deps: ProposalDeps): AnyMcpTool[] => [
  ...deps.kinds.map((kind) => toolOf(deps, kind)),
  defineMcpTool({
    name: 'list_proposals',
    title: 'List proposals',
    description: 'What was proposed with this API key, and whether the user has accepted or declined it.',
    scopes: ['propose'],
    effect: 'reads',
    input: z.object({}),
    async run({ userId, key }) {
      const { open, answered } = await listProposals(deps, userId)
      const own = [...open, ...answered].filter(({ keyId }) => keyId === key.id)
      return { data: { proposals: own.map(facts) } }
    },
  }),
]

const toolOf = (deps: ProposalDeps, kind: AnyProposalKind): AnyMcpTool => ({
  name: `propose_${kind.kind}`,
  title: `Propose: ${kind.kind.replaceAll('_', ' ')}`,
  description: `${kind.description} Nothing happens until the user accepts it in Tradewright, within ${PROPOSAL_DAYS} days.`,
  scopes: ['propose'],
  effect: 'proposes',
  input: z.object({ ...shapeOf(kind), reason: REASON }),
  async run({ userId, key }, { reason, ...content }: { reason?: string }) {
    const { id, description, expiresAt } = await propose(deps, userId, {
      kind,
      content,
      reason: reason ?? null,
      key,
    })
    return {
      summary: `Proposal ${id} waits for the user: ${description.title}. Nothing has changed yet. The user answers it in Tradewright under Proposals; list_proposals has the outcome.`,
      data: {
        proposal_id: id,
        title: description.title,
        changes: description.changes,
        expires: expiresAt.toISOString(),
      },
    }
  },
})

const shapeOf = ({ content, kind }: AnyProposalKind): z.ZodRawShape => {
  if (content instanceof z.ZodObject) return content.shape
  throw new Error(`the content of ${kind} is not an object`)
}

const facts = ({ id, kind, description, state, outcome, createdAt, expiresAt }: ProposalItem) => ({
  proposal_id: id,
  kind,
  title: description.title,
  state,
  outcome,
  proposed: createdAt.toISOString(),
  expires: expiresAt.toISOString(),
})
