import { z } from 'zod'
import { MAX_REASON_LENGTH, PROPOSAL_DAYS } from '@tradewright/core/proposal-states'
import { fallbackPrices } from '../assistant/tools/backtest-tools.ts'
import type { AnyTool } from '../assistant/action.ts'
import type { BacktestReader } from '../backtests/saved-backtests.ts'
import type { ProvidersOf } from '../market-data/providers.ts'
import { type AnyMcpTool, defineMcpTool, backtestLink } from './resources.ts'
import { listProposals, propose, type ProposalDeps, type ProposalItem } from '../proposals/own-proposals.ts'
import type { AnyProposalKind } from '../proposals/proposal.ts'

/** A program that computes reads its own results, also without the scope `read`. */
const ALSO_OF_RESEARCH = new Set([
  'get_backtest',
  'get_optimization_run',
  'list_optimization_runs',
  'list_features',
  'get_help',
])
/** Computed for the call, as over HTTP. */
const ONLY_OF_RESEARCH = new Set(['get_leading_indicators'])
/** Has a tool of its own here, which reports progress and can be cancelled. */
const REPLACED = new Set(['run_backtest'])

const MAX_RUNS = 30

/** The tools that the assistant reads with, for other programs. */
export const assistantTools = (tools: readonly AnyTool[]): AnyMcpTool[] =>
  tools
    .filter(({ name }) => !REPLACED.has(name))
    .map((tool) => ({
      name: tool.name,
      title: titleOf(tool.name),
      description: tool.description,
      scopes: ONLY_OF_RESEARCH.has(tool.name)
        ? ['research']
        : ALSO_OF_RESEARCH.has(tool.name)
          ? ['read', 'research']
          : ['read'],
      effect: 'reads',
      input: tool.input,
      run: async (caller, input) => ({ data: await tool.run(caller, input) }),
    }))

const titleOf = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

export const catalogueTools = ({ backtests, providersOf }: BacktestReader & { readonly providersOf: ProvidersOf }) => [
  defineMcpTool({
    name: 'list_recent_runs',
    title: 'List recent runs',
    description:
      'The newest backtests, saved or not, with their figures, including those of calls whose answer was lost.',
    scopes: ['read', 'research'],
    effect: 'reads',
    input: z.object({}),
    async run({ userId }) {
      const runs = await backtests.recent(userId, MAX_RUNS)
      return {
        data: {
          runs: runs.map((run) => ({
            backtest_id: run.id,
            name: run.name,
            strategy: run.strategyName,
            saved: run.isSaved,
            created: run.createdAt.toISOString(),
            cagr: run.cagr,
            sharpe: run.sharpe,
            max_drawdown: run.maxDrawdown,
            synthetic: run.synthetic,
            fallback_prices: fallbackPrices(run.spliced),
          })),
        },
        links: runs.slice(0, 5).map(({ id, name }) => backtestLink(id, name)),
      }
    },
  }),
  defineMcpTool({
    name: 'list_data_providers',
    title: 'List data providers',
    description: 'The data providers that the user may use, with what they have.',
    scopes: ['read'],
    effect: 'reads',
    input: z.object({}),
    async run({ userId }) {
      const providers = await providersOf(userId)
      return {
        data: {
          providers: providers.map(({ id, displayName, synthetic, limits }) => ({
            provider_id: id,
            name: displayName,
            synthetic,
            granularities: Object.keys(limits.history),
          })),
        },
      }
    },
  }),
]

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
