import type { RuleProblem } from '@tradewright/contract/rules'
import { treeProblems } from '@tradewright/core/rules/problems'
import type { RulesTree } from '@tradewright/core/rules/tree'
import type { CardProblems } from './node-card.tsx'
import { cardOfPath, pathKey } from './tree-edits.ts'

/** Problems at their cards, and those of the tree as a whole under the empty path. `found` are the server's. */
export function cardProblems(tree: RulesTree, found: readonly RuleProblem[]): CardProblems {
  const problems = new Map<string, string[]>()
  for (const { path, sentence } of [...treeProblems(tree), ...found]) {
    const card = cardOfPath(tree, path)
    const key = card ? pathKey(card.path) : ''
    const known = problems.get(key)
    if (!known) problems.set(key, [sentence])
    else if (!known.includes(sentence)) known.push(sentence)
  }
  return problems
}

/** The first card with a problem, in the order of the page. */
export function firstProblemCard(tree: RulesTree, found: readonly RuleProblem[]): string | undefined {
  const card = found.map(({ path }) => cardOfPath(tree, path)).find((one) => one !== undefined)
  return card && pathKey(card.path)
}
