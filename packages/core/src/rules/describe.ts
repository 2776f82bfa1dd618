import {
  type Block,
  blockWithId,
  type Condition,
  type Operand,
  type PickBlock,
  type Rebalance,
  type RulesTree,
  titleOf,
} from './tree.ts'

/** The name of a feature of the catalogue, by its key. */
type FeatureName = (key: string) => string

/** The tree in plain English, a line each, indented by two spaces a level. */
export function describeRules(tree: RulesTree, nameOf: FeatureName): string[] {
  return [`At ${CHECKS[tree.check]}:`, ...describeBlock(tree.root, tree, nameOf)]
}

const CHECKS: Readonly<Record<RulesTree['check'], string>> = {
  bar: 'the close of each bar',
  daily: 'the close of each day',
  weekly: 'the close of the last session of each week',
  monthly: 'the close of the last session of each month',
  quarterly: 'the close of the last session of each quarter',
  yearly: 'the close of the last session of each year',
}

const NO_TICKER = 'Hold no ticker yet.'

function describeBlock(block: Block, tree: RulesTree, nameOf: FeatureName): string[] {
  const inside = (child: Block) => describeBlock(child, tree, nameOf).map((line) => `  ${line}`)
  if (block.kind === 'cash') return [`Hold ${cashWords(tree)}.`]
  if (block.kind === 'use') return [`The same as “${titleOf(blockWithId(tree.root, block.of) ?? { id: block.of })}”.`]
  if (block.kind === 'hold') {
    if (block.rows.every(({ ticker }) => ticker === '')) return [NO_TICKER]
    const [only] = block.rows
    const rows = block.rows.map(({ ticker, pct }) => `${figure(pct)}% ${ticker}`)
    const held = block.rows.length === 1 && only!.pct === 100 ? only!.ticker : listed(rows)
    return withRest(
      block,
      [`Hold ${held}${block.rows.length > 1 ? rebalanceWords(block.rebalance) : ''}.`],
      tree,
      inside,
    )
  }
  if (block.kind === 'pick') return withRest(block, pickLines(block, nameOf), tree, inside)
  if (block.kind === 'group') {
    const { weights } = block
    if (block.children.length === 0) return ['Hold no block yet.']
    const head = weights.kind === 'equal' ? 'In equal parts' : 'Side by side'
    const parts = block.children.flatMap((child, i) => [
      `  ${weights.kind === 'equal' ? 'One part' : `${weights.pcts[i] ?? 0}%`}:`,
      ...inside(child).map((line) => `  ${line}`),
    ])
    return withRest(block, [`${head}${rebalanceWords(block.rebalance)}:`, ...parts], tree, inside)
  }
  return [`If ${conditionWords(block.condition, nameOf)}:`, ...inside(block.yes), 'Otherwise:', ...inside(block.no)]
}

/** Says where the rest goes, where there may be one. */
function withRest(
  block: Extract<Block, { kind: 'hold' | 'pick' | 'group' }>,
  lines: string[],
  tree: RulesTree,
  inside: (child: Block) => string[],
): string[] {
  if (block.rest) return [...lines, 'What is left:', ...inside(block.rest)]
  return mayLeaveRest(block) ? [...lines, `What is left: ${cashWords(tree)}.`] : lines
}

/** Whether a block may leave part of its share to its rest. */
export function mayLeaveRest(block: Extract<Block, { kind: 'hold' | 'pick' | 'group' }>): boolean {
  const isShort = (pcts: readonly number[]) => pcts.reduce((sum, pct) => sum + pct, 0) < 99.98
  if (block.kind === 'hold') return isShort(block.rows.map(({ pct }) => pct))
  if (block.kind === 'group') return block.weights.kind === 'fixed' && isShort(block.weights.pcts)
  const { weights, keep, eligible, volatilityTarget, unfilled } = block
  if (volatilityTarget || (weights.kind === 'fixed' && isShort(weights.pcts))) return true
  return (keep !== undefined || eligible !== undefined) && unfilled !== 'spread'
}

function pickLines(block: PickBlock, nameOf: FeatureName): string[] {
  const { tickers, rank, eligible, keep, weights, volatilityTarget } = block
  if (tickers.every((ticker) => ticker === '')) return [NO_TICKER]
  const which = rank
    ? `Hold the ${rank.order} ${rank.count} of ${listed(tickers)} by ${operandWords(rank.by, nameOf, '')}`
    : `Hold ${listed(tickers)}`
  const first = eligible ? `, of those for which ${conditionWords(eligible, nameOf)}` : ''
  const then = keep ? `, each only if ${conditionWords(keep, nameOf)}` : ''
  const isAlone = tickers.length === 1 || rank?.count === 1
  const weighed = isAlone && weights.kind === 'equal' ? '' : `, ${weightWords(weights)}`
  const calmed = volatilityTarget
    ? `, with less of it while its volatility over ${volatilityTarget.window} bars is above ${volatilityTarget.pct}% a year`
    : ''
  return [`${which}${first}${then}${weighed}${calmed}${rebalanceWords(block.rebalance)}.`]
}

function weightWords(weights: PickBlock['weights']): string {
  if (weights.kind === 'equal') return 'in equal parts'
  if (weights.kind === 'rank') return 'the first with the largest weight'
  if (weights.kind === 'fixed') return `at ${listed(weights.pcts.map((pct) => `${pct}%`))} by rank`
  if (weights.kind === 'inverse-volatility') {
    return `the calmer with the larger weight (inverse volatility over ${weights.window} bars)`
  }
  if (weights.kind === 'risk-parity') return `with equal risk (risk parity over ${weights.window} bars)`
  return `with the least variance over ${weights.window} bars`
}

function rebalanceWords(rebalance: Rebalance | undefined): string {
  if (rebalance?.on === 'calendar') return `, rebalanced ${rebalance.every}`
  if (rebalance?.on === 'band') return `, rebalanced when a weight is more than ${rebalance.points} points off`
  if (rebalance?.on === 'change') return ', rebalanced when what is held changes'
  return ''
}

function conditionWords(condition: Condition, nameOf: FeatureName): string {
  if (condition.kind === 'compare') {
    const { left, is, right, tolerance } = condition
    const [own, other] = [operandWords(left, nameOf), operandWords(right, nameOf)]
    if (!tolerance || tolerance.size === 0) return `${own} is ${is} ${other}`
    const size = `${tolerance.size}${tolerance.unit === 'percent' ? '%' : ''}`
    const stays = tolerance.latched ? ' (until it is as far on the other side)' : ''
    return `${own} is more than ${size} ${is} ${other}${stays}`
  }
  if (condition.kind === 'all') return condition.of.map((one) => nestedWords(one, nameOf)).join(' and ')
  if (condition.kind === 'any') return condition.of.map((one) => nestedWords(one, nameOf)).join(' or ')
  if (condition.kind === 'not') return `it is not the case that ${nestedWords(condition.of, nameOf)}`
  if (condition.kind === 'streak') return `${nestedWords(condition.of, nameOf)} for ${condition.checks} checks in a row`
  return `the latch is on (on when ${nestedWords(condition.enter, nameOf)}, off when ${nestedWords(condition.exit, nameOf)})`
}

/** In brackets where "and" and "or" would run together. */
const nestedWords = (condition: Condition, nameOf: FeatureName): string =>
  condition.kind === 'all' || condition.kind === 'any'
    ? `(${conditionWords(condition, nameOf)})`
    : conditionWords(condition, nameOf)

/** `own`: whose a feature without a ticker is. A ranking is by "126-bar return" of all of them. */
function operandWords(operand: Operand, nameOf: FeatureName, own = 'its '): string {
  if (operand.kind === 'number') return figure(operand.value)
  if (operand.kind === 'feature') return featureWords(operand.feature, operand.params, nameOf, own)
  const terms = operand.terms.map(
    ({ times, feature, params }) => `${figure(times)} × ${featureWords(feature, params, nameOf, own)}`,
  )
  return `the sum of ${listed(terms)}`
}

const figure = (value: number): string => String(value).replace('-', '−')

type Params = Readonly<Record<string, string | number>>

function featureWords(key: string, params: Params, nameOf: FeatureName, own: string): string {
  const { ticker, window, ...others } = params
  const whose = ticker === undefined ? own : `${ticker}’s `
  if (key === 'sma' && window === 1 && Object.keys(others).length === 0) return `${whose}close`
  const known = Object.keys(others).length === 0 && window !== undefined ? KNOWN.get(key) : undefined
  if (known) return `${whose}${known(window!)}`
  const said = Object.entries({ ...(window !== undefined && { window }), ...others }).map(
    ([name, value]) => `${name} ${value}`,
  )
  return `${whose}${nameOf(key)}${said.length > 0 ? ` (${said.join(', ')})` : ''}`
}

/** Features that most rules are made of, in the words of a trader. */
const KNOWN: ReadonlyMap<string, (window: number | string) => string> = new Map([
  ['sma', (window) => `${window}-bar average`],
  ['ema', (window) => `${window}-bar exponential average`],
  ['percent_change', (window) => `${window}-bar return`],
  ['price_sma_ratio', (window) => `close over its ${window}-bar average`],
  ['volatility', (window) => `${window}-bar volatility`],
  ['rsi', (window) => `${window}-bar RSI`],
])

const cashWords = ({ cash }: RulesTree): string => (cash === 'CASHX' ? 'cash' : cash)

/** `SPY`, `SPY and AGG`, `SPY, AGG and TLT`. */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`
