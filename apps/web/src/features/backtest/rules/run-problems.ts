import { RuleProblem } from '@tradewright/contract/rules'
import { featuresOf, type Operand, type RulesTree } from '@tradewright/core/rules/tree'
import { z } from 'zod'
import { CallError } from '../../../lib/call-error.ts'
import type { StudioResult } from '../answer/studio-result.ts'
import { allCards, type Card, heldTickers, pathKey } from './tree-edits.ts'

const Refusal = z.object({ rule_problems: z.array(RuleProblem) })

/** Which blocks a run was refused for. */
export function problemsOfRefusal(error: unknown): RuleProblem[] {
  const read = error instanceof CallError ? Refusal.safeParse(error.answer) : undefined
  return read?.success ? read.data.rule_problems : []
}

/** What a run found out about its blocks: tickers without data, and conditions that never had an answer. */
export function problemsOfResult(tree: RulesTree, { rules, data_problems }: StudioResult): RuleProblem[] {
  if (!rules) return []
  const at = ({ path, node }: Card, sentence: string): RuleProblem => ({
    block: node.id,
    path: pathKey(path),
    sentence,
  })
  const unanswered = new Set(
    rules.answers
      .filter(({ block, ticker, answer }) => answer === null && !wasAnswered(rules, block, ticker))
      .map(({ block }) => block),
  )
  // What is missing for every ticker is no matter of a block: the banner above the result says it.
  const held = heldTickers(tree).map(symbolOf)
  const some = data_problems.filter(({ tickers }) => !held.every((ticker) => tickers.includes(ticker)))
  return allCards(tree).flatMap((card) => {
    const missing = some
      .filter(({ tickers }) => tickersOf(card).some((ticker) => tickers.includes(symbolOf(ticker))))
      .map(({ sentence }) => at(card, sentence))
    const isSilent = card.node.kind === 'compare' && unanswered.has(card.node.id)
    return isSilent ? missing.concat(at(card, NO_ANSWER)) : missing
  })
}

const NO_ANSWER = 'It had no answer in the last run: its features have too little history, or no data.'

const wasAnswered = ({ changes }: NonNullable<StudioResult['rules']>, block: string, ticker: string | null): boolean =>
  changes.some((change) => change.what === 'answer' && change.block === block && change.ticker === ticker)

const symbolOf = (ticker: string): string => ticker.split('?')[0] ?? ''

/** Tickers that a card itself names. */
function tickersOf({ node }: Card): string[] {
  if (node.kind === 'hold') return node.rows.map(({ ticker }) => ticker)
  if (node.kind === 'pick') return [...node.tickers, ...(node.rank ? named(node.rank.by) : [])]
  return node.kind === 'compare' ? [...named(node.left), ...named(node.right)] : []
}

const named = (operand: Operand): string[] =>
  featuresOf(operand).flatMap(({ params }) => (typeof params['ticker'] === 'string' ? [params['ticker']] : []))
