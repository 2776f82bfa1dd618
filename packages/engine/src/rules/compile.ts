import { Problem } from '@tradewright/core/problem'
import { operandsOf, type RuleProblem, treeProblems } from '@tradewright/core/rules/problems'
import {
  type Block,
  childBlocks,
  childConditions,
  type Condition,
  conditionsOf,
  featuresOf,
  type Operand,
  type PickBlock,
  type RulesTree,
  titleOf,
} from '@tradewright/core/rules/tree'
import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { CASHX } from '@tradewright/core/ticker-kind'
import { featureOf, planFeature, type PlannedFeature } from '../features/catalogue.ts'
import {
  type Fork,
  pairOf,
  type PickDivision,
  type ProgramCondition,
  type ProgramNode,
  type ProgramOperand,
  type RiskColumns,
  type RulesProgram,
  type Sleeve,
} from './program.ts'
import { whyNotShort } from '../trading/allocation.ts'

/** Everything that is wrong with a tree, each at its block; none means that it can be compiled. */
export function rulesProblems(tree: RulesTree): RuleProblem[] {
  const problems = treeProblems(tree)
  // The blocks of a tree that is too large are not looked at one by one.
  return problems.some(({ path }) => path === '') ? problems : [...problems, ...featureProblems(tree)]
}

/** A Problem with every sentence, and the blocks that they are about as facts. */
export function compileRules(tree: RulesTree): RulesProgram {
  const problems = rulesProblems(tree)
  if (problems.length > 0) throw rulesProblem(problems)
  return new Compiler(tree).program()
}

/** Each is a column as long as the run, and is looked up while the caller waits for its plan. */
const MAX_FEATURE_USES = 5000
const tooManyFeatures: RuleProblem = {
  block: undefined,
  path: '',
  sentence:
    `The blocks ask for more than ${MAX_FEATURE_USES.toLocaleString('en-US')} features, one for each ticker of a pick, and for ` +
    'each pair of its tickers where weights come from correlations. Pick from fewer tickers.',
}

const MAX_SENTENCES = 5

export function rulesProblem(problems: readonly RuleProblem[]): Problem {
  const said = problems
    .slice(0, MAX_SENTENCES)
    .map(({ block, sentence }) => (block ? `${titleOf({ id: block })}: ${sentence}` : sentence))
  const left = problems.length - said.length
  const more = left > 0 ? [`And ${left} more.`] : []
  return new Problem('invalid', 'rules.invalid', [...said, ...more].join(' '), {
    facts: { rule_problems: problems.map(({ block = null, path, sentence }) => ({ block, path, sentence })) },
  })
}

function featureProblems({ root }: RulesTree): RuleProblem[] {
  const problems: RuleProblem[] = []
  const check = (operand: Operand, block: string, path: readonly (string | number)[], hasMember: boolean) => {
    for (const { feature, params } of featuresOf(operand)) {
      const sentence = featureProblem(feature, params, hasMember)
      if (sentence !== undefined) problems.push({ block, path: path.join('.'), sentence })
    }
  }
  const walkCondition = (condition: Condition, path: readonly (string | number)[], hasMember: boolean) => {
    for (const { operand, path: side } of operandsOf(condition))
      check(operand, condition.id, [...path, side], hasMember)
    for (const child of childConditions(condition)) walkCondition(child.condition, [...path, ...child.path], hasMember)
  }
  const walk = (block: Block, path: readonly (string | number)[]) => {
    for (const sentence of shortProblems(block)) problems.push({ block: block.id, path: path.join('.'), sentence })
    const isPick = block.kind === 'pick'
    if (isPick && block.rank) check(block.rank.by, block.id, [...path, 'rank', 'by'], true)
    for (const child of conditionsOf(block)) walkCondition(child.condition, [...path, ...child.path], isPick)
    for (const child of childBlocks(block)) walk(child.block, [...path, ...child.path])
  }
  walk(root, ['root'])
  return problems
}

const shortProblems = (block: Block): string[] =>
  block.kind !== 'hold'
    ? []
    : block.rows.flatMap(({ ticker, pct }) => {
        const reason = pct < 0 ? whyNotShort(ticker) : undefined
        return reason === undefined ? [] : [`The weight of ${ticker} is ${pct}%: ${reason}`]
      })

function featureProblem(key: string, params: PlannedParams, hasMember: boolean): string | undefined {
  try {
    const { name, parameters } = featureOf(key)
    const unknown = Object.keys(params).find((name) => !parameters.some((one) => one.name === name))
    if (unknown !== undefined) return `${name} has no parameter "${unknown}".`
    if (params['ticker'] === undefined && !hasMember) return `${name} needs a ticker.`
    // Any ticker does for the check of the others.
    planFeature({ id: key, params: { ticker: 'SPY', ...params } })
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

type PlannedParams = Readonly<Record<string, string | number>>

/** Turns a tree without problems into a program. */
class Compiler {
  readonly #tree: RulesTree
  readonly #features: PlannedFeature[] = []
  readonly #columns = new Map<string, number>()
  #uses = 0
  readonly #tickers = new Map<string, number>()
  readonly #conditions: ProgramCondition[] = []
  readonly #places = new Map<string, number>()
  readonly #sleeves: Sleeve[] = []
  readonly #forks: Fork[] = []
  readonly #blocks = new Map<string, Block>()
  readonly #shorts = new Set<string>()

  constructor(tree: RulesTree) {
    this.#tree = tree
  }

  program(): RulesProgram {
    this.#index(this.#tree.root)
    const root = this.#node(this.#tree.root, '')
    const cash = this.#ticker(this.#tree.cash)
    const tickers = [...this.#tickers.keys()]
    const priceColumns = tickers.map((ticker) => this.#column('sma', { ticker, window: 1 }))
    return {
      check: this.#tree.check,
      features: this.#features,
      tickers,
      shortTickers: [...this.#shorts],
      priceColumns,
      conditions: this.#conditions,
      root,
      sleeves: this.#sleeves,
      forks: this.#forks,
      cash,
    }
  }

  #index(block: Block): void {
    this.#blocks.set(block.id, block)
    for (const child of childBlocks(block)) this.#index(child.block)
  }

  #node(block: Block, prefix: string): ProgramNode {
    if (block.kind === 'cash') return { kind: 'cash' }
    if (block.kind === 'use') return this.#node(this.#blocks.get(block.of)!, `${prefix}${block.id}/`)
    if (block.kind === 'if') return this.#fork(block, prefix)
    return this.#sleeve(block, prefix)
  }

  #fork(block: Extract<Block, { kind: 'if' }>, prefix: string): Fork {
    const condition = this.#condition(block.condition, undefined)
    const yes = this.#node(block.yes, prefix)
    const no = this.#node(block.no, prefix)
    const { id } = block
    const fork: Fork = { kind: 'fork', key: prefix + id, id, place: this.#forks.length, condition, yes, no }
    this.#forks.push(fork)
    return fork
  }

  #sleeve(block: Extract<Block, { kind: 'hold' | 'pick' | 'group' }>, prefix: string): Sleeve {
    const { id, rebalance = { on: 'check' }, rest } = block
    const { parts, division } = this.#division(block, prefix)
    const sleeve: Sleeve = {
      kind: 'sleeve',
      key: prefix + id,
      id,
      rest: rest ? this.#node(rest, prefix) : { kind: 'cash' },
      parts,
      division,
      rebalance,
      place: this.#sleeves.length,
    }
    this.#sleeves.push(sleeve)
    return sleeve
  }

  #division(
    block: Extract<Block, { kind: 'hold' | 'pick' | 'group' }>,
    prefix: string,
  ): Pick<Sleeve, 'parts' | 'division'> {
    if (block.kind === 'hold') {
      for (const { ticker, pct } of block.rows) if (pct < 0) this.#shorts.add(formatTicker(parseTicker(ticker)))
      return {
        parts: block.rows.map(({ ticker }) => this.#ticker(ticker)),
        division: { kind: 'fixed', weights: weightsOf(block.rows.map(({ pct }) => pct)) },
      }
    }
    if (block.kind === 'pick') {
      return { parts: block.tickers.map((ticker) => this.#ticker(ticker)), division: this.#pick(block) }
    }
    const { children, weights } = block
    return {
      parts: children.map((child) => this.#node(child, prefix)),
      division: {
        kind: 'fixed',
        weights: weights.kind === 'equal' ? children.map(() => 1 / children.length) : weightsOf(weights.pcts),
      },
    }
  }

  #pick({ tickers: given, eligible, keep, rank, weights, unfilled, volatilityTarget }: PickBlock): PickDivision {
    const tickers = given.map((ticker) => formatTicker(parseTicker(ticker)))
    const members = tickers.map((ticker) => ({
      eligible: eligible && this.#condition(eligible, ticker),
      keep: keep && this.#condition(keep, ticker),
      score: rank && this.#operand(rank.by, ticker),
    }))
    const needsPairs = weights.kind === 'risk-parity' || weights.kind === 'minimum-variance'
    return {
      kind: 'pick',
      members,
      order: rank?.order,
      places: rank?.count ?? tickers.length,
      weights,
      spreads: unfilled === 'spread',
      risk: 'window' in weights ? this.#risk(tickers, weights.window, needsPairs) : undefined,
      volatilityTarget: volatilityTarget && {
        ...this.#risk(tickers, volatilityTarget.window, true),
        volatility: volatilityTarget.pct / 100,
      },
    }
  }

  #risk(tickers: readonly string[], window: number, needsPairs: boolean): RiskColumns {
    const correlations = new Map<number, number>()
    if (needsPairs) {
      tickers.forEach((ticker, a) => {
        for (let b = a + 1; b < tickers.length; b++) {
          const column = this.#column('correlation', { ticker, other_ticker: tickers[b]!, window })
          correlations.set(pairOf(a, b, tickers.length), column)
        }
      })
    }
    return { volatilities: tickers.map((ticker) => this.#column('volatility', { ticker, window })), correlations }
  }

  /**
   * The place of a condition, made where it is new. A pick's condition has one for each member; blocks that use the
   * same one share it.
   */
  #condition(condition: Condition, member: string | undefined): number {
    const { id } = condition
    const key = member === undefined ? id : `${id}/${member}`
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const made = this.#makeCondition(condition, member)
    const place = this.#conditions.length
    this.#conditions.push({ key, id, ...made } as ProgramCondition)
    this.#places.set(key, place)
    return place
  }

  #makeCondition(condition: Condition, member: string | undefined) {
    if (condition.kind === 'compare') {
      return {
        kind: 'compare' as const,
        left: this.#operand(condition.left, member),
        right: this.#operand(condition.right, member),
        direction: condition.is === 'above' ? 1 : -1,
        tolerance: condition.tolerance,
      }
    }
    if (condition.kind === 'all' || condition.kind === 'any') {
      return { kind: condition.kind, of: condition.of.map((one) => this.#condition(one, member)) }
    }
    if (condition.kind === 'not') return { kind: 'not' as const, of: this.#condition(condition.of, member) }
    if (condition.kind === 'streak') {
      return { kind: 'streak' as const, of: this.#condition(condition.of, member), checks: condition.checks }
    }
    return {
      kind: 'latch' as const,
      enter: this.#condition(condition.enter, member),
      exit: this.#condition(condition.exit, member),
    }
  }

  #operand(operand: Operand, member: string | undefined): ProgramOperand {
    if (operand.kind === 'number') return { constant: operand.value, terms: [] }
    const column = ({ feature, params }: { feature: string; params: PlannedParams }) =>
      this.#column(feature, member === undefined ? params : { ticker: member, ...params })
    if (operand.kind === 'feature') return { constant: 0, terms: [{ column: column(operand), times: 1 }] }
    return { constant: 0, terms: operand.terms.map((term) => ({ column: column(term), times: term.times })) }
  }

  #column(id: string, params: PlannedParams): number {
    if (++this.#uses > MAX_FEATURE_USES) throw rulesProblem([tooManyFeatures])
    const planned = planFeature({ id, params })
    const known = this.#columns.get(planned.label)
    if (known !== undefined) return known
    this.#features.push(planned)
    this.#columns.set(planned.label, this.#features.length - 1)
    return this.#features.length - 1
  }

  #ticker(text: string): number {
    const ticker = formatTicker(parseTicker(text))
    if (ticker === CASHX) return -1
    const known = this.#tickers.get(ticker)
    if (known !== undefined) return known
    this.#tickers.set(ticker, this.#tickers.size)
    return this.#tickers.size - 1
  }
}

/** Percentages as fractions. Three thirds of 33.34% are 100%. */
function weightsOf(pcts: readonly number[]): number[] {
  const sum = pcts.reduce((total, pct) => total + pct, 0)
  return pcts.map((pct) => pct / Math.max(100, sum))
}
