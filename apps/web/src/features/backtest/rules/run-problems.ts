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

/** What a run found out about its blocks: tickers without data, and blocks that never had a value. */
export function problemsOfResult(tree: RulesTree, { rules, data_problems }: StudioResult): RuleProblem[] {
  if (!rules) return []
  const at = ({ path, node }: Card, sentence: string): RuleProblem => ({
    block: node.id,
    path: pathKey(path),
    sentence,
  })
  // What is missing for every ticker is no matter of a block: the banner above the result says it.
  const held = heldTickers(tree).map(symbolOf)
  const some = data_problems.filter(({ tickers }) => !held.every((ticker) => tickers.includes(ticker)))
  return allCards(tree).flatMap((card) => {
    const missing = some.filter(({ tickers }) => tickersOf(card).some((ticker) => tickers.includes(symbolOf(ticker))))
    const silent = rules.silent_blocks.filter(({ block }) => block === card.node.id)
    return sentencesOf(missing, silent).map((sentence) => at(card, sentence))
  })
}

const sentencesOf = (...groups: readonly (readonly { sentence: string }[])[]): string[] =>
  groups.flat().map(({ sentence }) => sentence)

const symbolOf = (ticker: string): string => ticker.split('?')[0] ?? ''

/** Tickers that a card itself names. */
function tickersOf({ node }: Card): string[] {
  if (node.kind === 'hold') return node.rows.map(({ ticker }) => ticker)
  if (node.kind === 'pick') return [...node.tickers, ...(node.rank ? named(node.rank.by) : [])]
  return node.kind === 'compare' ? [...named(node.left), ...named(node.right)] : []
}

const named = (operand: Operand): string[] =>
  featuresOf(operand).flatMap(({ params }) => (typeof params['ticker'] === 'string' ? [params['ticker']] : []))
