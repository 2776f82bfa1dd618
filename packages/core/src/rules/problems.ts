import { Problem } from '../problem.ts'
import { formatTicker, heldKind, parseTicker } from '../ticker.ts'
import { isObservation } from '../ticker-kind.ts'
import {
  type Block,
  childBlocks,
  childConditions,
  type Condition,
  conditionsOf,
  featuresOf,
  MAX_BLOCKS,
  MAX_COVARIANCE_TICKERS,
  MAX_DEPTH,
  MAX_PICK_TICKERS,
  MAX_TREE_TICKERS,
  type Operand,
  type PickBlock,
  type RulesTree,
  titleOf,
} from './tree.ts'

/** What is wrong with one block or condition, as a sentence to show at it. */
export interface RuleProblem {
  /** The id of the block or condition; absent where the tree as a whole is concerned. */
  readonly block: string | undefined
  /** The way to it from the tree: `root.yes.rest`. */
  readonly path: string
  readonly sentence: string
}

type Path = readonly (string | number)[]

/** Percentages are typed by hand: a third as 33.33 is meant. */
const PCT_SLACK = 0.011
/** The same minimum as the feature `correlation` has. */
const MIN_CORRELATION_WINDOW = 3

/**
 * Everything that is wrong with a tree of the right shape, except its features, which the catalogue knows. A tree that is
 * too large is not looked into further.
 */
export function treeProblems(tree: RulesTree): RuleProblem[] {
  const problems: RuleProblem[] = []
  const blocks = new Map<string, Block>()
  const ids = new Set<string>()
  let count = 0
  const report = (block: { readonly id: string } | undefined, path: Path, sentence: string): void => {
    problems.push({ block: block?.id, path: path.join('.'), sentence })
  }

  const enter = (one: Block | Condition, path: Path) => {
    count++
    if (ids.has(one.id)) report(one, path, `Two blocks have the id "${one.id}". Give one of them another.`)
    ids.add(one.id)
  }
  const walkCondition = (condition: Condition, path: Path, depth: number): void => {
    enter(condition, path)
    if (depth > MAX_DEPTH) return report(condition, path, `Conditions nest up to ${MAX_DEPTH} levels.`)
    if ((condition.kind === 'all' || condition.kind === 'any') && condition.of.length === 0) {
      report(condition, path, 'Add a condition, or delete this block: it has none.')
    }
    for (const child of childConditions(condition)) {
      walkCondition(child.condition, [...path, ...child.path], depth + 1)
    }
  }
  const walk = (block: Block, path: Path, depth: number): void => {
    enter(block, path)
    blocks.set(block.id, block)
    if (depth > MAX_DEPTH) return report(block, path, `Blocks nest up to ${MAX_DEPTH} levels.`)
    for (const sentence of ownProblems(block)) report(block, path, sentence)
    for (const child of conditionsOf(block)) walkCondition(child.condition, [...path, ...child.path], 1)
    for (const child of childBlocks(block)) walk(child.block, [...path, ...child.path], depth + 1)
  }

  const named = tickerCount(tree.root)
  if (named > MAX_TREE_TICKERS) {
    const sentence = `The tree names ${named} tickers in all its blocks; up to ${MAX_TREE_TICKERS} are allowed.`
    return [{ block: undefined, path: '', sentence }]
  }
  const cash = tickerProblem(tree.cash)
  if (cash !== undefined) report(undefined, ['cash'], cash)
  walk(tree.root, ['root'], 1)
  if (count > MAX_BLOCKS) {
    return [{ block: undefined, path: '', sentence: `The tree has ${count} blocks; up to ${MAX_BLOCKS} are allowed.` }]
  }
  return [...problems, ...referenceProblems(tree.root, blocks)]
}

function tickerCount(block: Block): number {
  const own = block.kind === 'hold' ? block.rows.length : block.kind === 'pick' ? block.tickers.length : 0
  return childBlocks(block).reduce((sum, child) => sum + tickerCount(child.block), own)
}

/** One problem for each block that would sell short, for an account that cannot. */
export function shortProblems({ root }: RulesTree): RuleProblem[] {
  const problems: RuleProblem[] = []
  const walk = (block: Block, path: Path): void => {
    const short = block.kind === 'hold' ? block.rows.filter(({ pct }) => pct < 0) : []
    for (const { ticker } of short) {
      const sentence = `It sells ${ticker} short: give the borrow rate of short positions, or no negative weight.`
      problems.push({ block: block.id, path: path.join('.'), sentence })
    }
    for (const child of childBlocks(block)) walk(child.block, [...path, ...child.path])
  }
  walk(root, ['root'])
  return problems
}

function ownProblems(block: Block): string[] {
  if (block.kind === 'hold') {
    return [
      ...tickerProblems(block.rows.map(({ ticker }) => ticker)),
      ...sumProblems(
        block.rows.map(({ pct }) => pct),
        true,
      ),
    ]
  }
  if (block.kind === 'pick') return pickProblems(block)
  if (block.kind === 'group') return groupProblems(block)
  return []
}

function groupProblems({ children, weights }: Extract<Block, { kind: 'group' }>): string[] {
  if (children.length === 0) return ['Add a block: the group is empty.']
  if (weights.kind === 'equal') return []
  if (weights.pcts.length !== children.length) {
    return [`The group has ${children.length} blocks and ${weights.pcts.length} weights: give each block one.`]
  }
  return sumProblems(weights.pcts)
}

function pickProblems({ tickers, rank, weights, volatilityTarget }: PickBlock): string[] {
  if (tickers.length === 0) return ['Add a ticker: there is nothing to pick from.']
  if (tickers.length > MAX_PICK_TICKERS) {
    return [`There are ${tickers.length} tickers to pick from; up to ${MAX_PICK_TICKERS} are allowed.`]
  }
  const problems = tickerProblems(tickers)
  const places = rank?.count ?? tickers.length
  if (rank && rank.count > tickers.length) {
    problems.push(`The ${rank.order} ${rank.count} cannot be picked from ${tickers.length} tickers.`)
  }
  if (rank && !featuresOf(rank.by).some(({ params }) => params['ticker'] === undefined)) {
    problems.push('The ranking is the same for every ticker: use a feature of the tickers that are ranked.')
  }
  if (weights.kind === 'rank' && !rank) problems.push('Weights by rank need a ranking.')
  if (weights.kind === 'fixed') {
    if (weights.pcts.length !== places) {
      problems.push(`There are ${places} places and ${weights.pcts.length} weights: give each place one.`)
    }
    problems.push(...sumProblems(weights.pcts))
  }
  const pairWindows = [
    ...(weights.kind === 'risk-parity' || weights.kind === 'minimum-variance' ? [weights.window] : []),
    ...(volatilityTarget ? [volatilityTarget.window] : []),
  ]
  const needsPairs = pairWindows.length > 0 && tickers.length > 1
  if (needsPairs && Math.min(...pairWindows) < MIN_CORRELATION_WINDOW) {
    problems.push(`Correlations need a window of at least ${MIN_CORRELATION_WINDOW} bars.`)
  }
  if (needsPairs && tickers.length > MAX_COVARIANCE_TICKERS) {
    problems.push(
      `Weights by correlations are possible for up to ${MAX_COVARIANCE_TICKERS} tickers, there are ${tickers.length}.`,
    )
  }
  return problems
}

/** Tickers may be sold short, by a negative weight; blocks may not. */
function sumProblems(pcts: readonly number[], mayShort = false): string[] {
  if (pcts.length === 0) return ['Add a ticker: nothing is held.']
  if (!mayShort && pcts.some((pct) => pct < 0)) return ['A weight cannot be negative.']
  if (pcts.some((pct) => pct < -100)) return ['At most 100% of a block can be sold short.']
  const sum = pcts.reduce((total, pct) => total + pct, 0)
  if (pcts.every((pct) => pct === 0)) return ['All weights are 0%: give at least one of them a weight, or use cash.']
  return sum > 100 + PCT_SLACK ? [`The weights add up to ${round(sum)}%: at most 100% can be held.`] : []
}

function tickerProblems(tickers: readonly string[]): string[] {
  const problems = tickers.flatMap((ticker) => tickerProblem(ticker) ?? [])
  if (problems.length > 0) return problems
  const written = tickers.map((ticker) => formatTicker(parseTicker(ticker)))
  const repeated = written.filter((ticker, i) => written.indexOf(ticker) !== i)
  return [...new Set(repeated)].map((ticker) => `${ticker} is named more than once.`)
}

function tickerProblem(ticker: string): string | undefined {
  try {
    const parsed = parseTicker(ticker)
    const { symbol } = parsed
    return isObservation(heldKind(parsed)) ? `${symbol} is a series of observations, which cannot be held.` : undefined
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

/** A block that is used must exist, and must not use itself by any way round. */
function referenceProblems(root: Block, blocks: ReadonlyMap<string, Block>): RuleProblem[] {
  const problems: RuleProblem[] = []
  /** By block: how many blocks it stands for once every use is written out; undefined while it is being counted. */
  const sizes = new Map<string, number | undefined>()
  const sizeOf = (block: Block, path: Path): number => {
    if (sizes.has(block.id)) return sizes.get(block.id) ?? 1
    sizes.set(block.id, undefined)
    let size = 1 + conditionCount(block)
    if (block.kind === 'use') {
      const used = blocks.get(block.of)
      if (!used) {
        problems.push({
          block: block.id,
          path: path.join('.'),
          sentence: block.of === '' ? 'Choose the block to use here.' : `There is no block “${block.of}” to use here.`,
        })
      } else if (sizes.has(used.id) && sizes.get(used.id) === undefined) {
        const sentence = `“${titleOf(used)}” uses itself here: a block cannot be part of itself.`
        problems.push({ block: block.id, path: path.join('.'), sentence })
      } else {
        size += sizeOf(used, path)
      }
    }
    for (const child of childBlocks(block)) size += sizeOf(child.block, [...path, ...child.path])
    sizes.set(block.id, size)
    return size
  }
  const size = sizeOf(root, ['root'])
  if (problems.length === 0 && size > MAX_BLOCKS) {
    const sentence = `With every used block written out the tree has ${size} blocks; up to ${MAX_BLOCKS} are allowed.`
    problems.push({ block: undefined, path: '', sentence })
  }
  return problems
}

/** Conditions of a pick are asked for each of its tickers. */
function conditionCount(block: Block): number {
  const count = ({ condition }: { condition: Condition }): number =>
    childConditions(condition).reduce((sum, child) => sum + count(child), 1)
  return conditionsOf(block).reduce((sum, child) => sum + count(child), 0)
}

/** Operands of a condition, with the way to them. */
export function operandsOf(condition: Condition): { operand: Operand; path: string }[] {
  if (condition.kind !== 'compare') return []
  return [
    { operand: condition.left, path: 'left' },
    { operand: condition.right, path: 'right' },
  ]
}

const round = (pct: number): number => Math.round(pct * 100) / 100
