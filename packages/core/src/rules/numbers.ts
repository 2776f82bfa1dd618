import {
  type Block,
  childBlocks,
  childConditions,
  type Condition,
  conditionsOf,
  MAX_STREAK,
  type Operand,
  type RulesTree,
  titleOf,
} from './tree.ts'

type Way = readonly (string | number)[]

/** A number of a tree that a parameter study may vary. */
export interface TreeNumber {
  /** The way to it in the JSON of the tree, joined by dots: `root.condition.right.params.window`. */
  readonly path: string
  /** Unique in the tree: `Top N in “Momentum”`. */
  readonly label: string
  readonly value: number
  readonly isWhole: boolean
  readonly min: number
  readonly max: number
}

/** Values of one number, from the first to the last that the step reaches. */
export interface NumberRange {
  readonly path: string
  readonly from: number
  readonly to: number
  readonly step: number
}

/** Longest window that a range begins with or a study may ask for: 40 years of days. */
const MAX_WINDOW = 10_000
const MAX_NUMBER = 1e9

const COUNT = { isWhole: true, min: 1 }
const WINDOW = { isWhole: true, min: 2, max: MAX_WINDOW }
const PERCENT = { isWhole: false, min: 0, max: 100 }
const ANY = { isWhole: false, min: -MAX_NUMBER, max: MAX_NUMBER }

interface Found extends Omit<TreeNumber, 'path'> {
  readonly way: Way
}

/** Every number of the tree, in the order of its blocks. `nameOf`: of a feature, by its key. */
export function treeNumbers(tree: RulesTree, nameOf: (key: string) => string): TreeNumber[] {
  const found = numbersOfBlock(tree.root, ['root'], nameOf)
  const seen = new Map<string, number>()
  return found.map(({ way, label, value, isWhole, min, max }) => {
    const count = (seen.get(label) ?? 0) + 1
    seen.set(label, count)
    const own = count === 1 ? label : `${label} (${count})`
    return { path: way.join('.'), label: own, value, isWhole, min, max }
  })
}

function numbersOfBlock(block: Block, way: Way, nameOf: (key: string) => string): Found[] {
  const conditions = conditionsOf(block).flatMap(({ condition, path }) => withInner(condition, [...way, ...path]))
  return [
    ...ownNumbers(block, way, nameOf),
    ...conditions.flatMap(({ condition, way: itsWay }, i) => {
      const place =
        conditions.length === 1 ? `condition of “${titleOf(block)}”` : `condition ${i + 1} of “${titleOf(block)}”`
      return numbersOfCondition(condition, itsWay, place, nameOf)
    }),
    ...childBlocks(block).flatMap((child) => numbersOfBlock(child.block, [...way, ...child.path], nameOf)),
  ]
}

/** A condition and those inside it that have numbers. */
function withInner(condition: Condition, way: Way): { condition: Condition; way: Way }[] {
  const inner = childConditions(condition).flatMap((child) => withInner(child.condition, [...way, ...child.path]))
  return condition.kind === 'compare' || condition.kind === 'streak' ? [{ condition, way }, ...inner] : inner
}

function ownNumbers(block: Block, way: Way, nameOf: (key: string) => string): Found[] {
  const place = `“${titleOf(block)}”`
  const found: Found[] = []
  const add = (label: string, path: Way, value: number, limits: Pick<Found, 'isWhole' | 'min' | 'max'>) =>
    found.push({ way: [...way, ...path], label, value, ...limits })
  if (block.kind === 'hold' && block.rows.length + (block.rest ? 1 : 0) > 1) {
    block.rows.forEach(({ ticker, pct }, i) =>
      add(`Percent of ${ticker} in ${place}`, ['rows', i, 'pct'], pct, { ...PERCENT, min: pct < 0 ? -100 : 0 }),
    )
  }
  if (block.kind === 'pick') {
    const { rank, weights, volatilityTarget, tickers } = block
    if (rank) {
      const which = rank.order === 'top' ? 'Top' : 'Bottom'
      add(`${which} N in ${place}`, ['rank', 'count'], rank.count, { ...COUNT, max: Math.max(1, tickers.length) })
      found.push(...numbersOfOperand(rank.by, [...way, 'rank', 'by'], `the ranking of ${place}`, nameOf))
    }
    if ('window' in weights) add(`Window of the weights in ${place}`, ['weights', 'window'], weights.window, WINDOW)
    if (weights.kind === 'fixed') addPercentages(weights.pcts)
    if (volatilityTarget) {
      const { pct, window } = volatilityTarget
      add(`Volatility target of ${place}`, ['volatilityTarget', 'pct'], pct, PERCENT)
      add(`Window of the volatility target of ${place}`, ['volatilityTarget', 'window'], window, WINDOW)
    }
  }
  if (block.kind === 'group' && block.weights.kind === 'fixed') addPercentages(block.weights.pcts)
  if ('rebalance' in block && block.rebalance?.on === 'band') {
    add(`Rebalancing band of ${place}`, ['rebalance', 'points'], block.rebalance.points, PERCENT)
  }
  return found

  function addPercentages(pcts: readonly number[]): void {
    pcts.forEach((pct, i) => add(`Percent of place ${i + 1} in ${place}`, ['weights', 'pcts', i], pct, PERCENT))
  }
}

function numbersOfCondition(condition: Condition, way: Way, place: string, nameOf: (key: string) => string): Found[] {
  if (condition.kind === 'streak') {
    const { checks } = condition
    return [{ way: [...way, 'checks'], label: `Checks in a row, ${place}`, value: checks, ...COUNT, max: MAX_STREAK }]
  }
  if (condition.kind !== 'compare') return []
  const { left, right, tolerance } = condition
  return [
    ...numbersOfOperand(left, [...way, 'left'], place, nameOf),
    ...numbersOfOperand(right, [...way, 'right'], place, nameOf),
    ...(tolerance
      ? [
          {
            way: [...way, 'tolerance', 'size'],
            label: `Tolerance, ${place}`,
            value: tolerance.size,
            isWhole: false,
            min: 0,
            max: MAX_NUMBER,
          },
        ]
      : []),
  ]
}

function numbersOfOperand(operand: Operand, way: Way, place: string, nameOf: (key: string) => string): Found[] {
  if (operand.kind === 'number') {
    return [{ way: [...way, 'value'], label: `Threshold, ${place}`, value: operand.value, ...ANY }]
  }
  if (operand.kind === 'feature') return numbersOfFeature(operand, way, place, nameOf)
  return operand.terms.flatMap((term, i) => [
    {
      way: [...way, 'terms', i, 'times'],
      label: `Factor of ${whose(term)}${nameOf(term.feature)}, ${place}`,
      value: term.times,
      ...ANY,
    },
    ...numbersOfFeature(term, [...way, 'terms', i], place, nameOf),
  ])
}

type FeatureTerm = Extract<Operand, { kind: 'sum' }>['terms'][number]
type Feature = Pick<FeatureTerm, 'feature' | 'params'>

function numbersOfFeature(term: Feature, way: Way, place: string, nameOf: (key: string) => string): Found[] {
  // The closing price is written as an average of one bar.
  if (term.feature === 'sma' && term.params['window'] === 1) return []
  return Object.entries(term.params).flatMap(([name, value]) => {
    if (typeof value !== 'number') return []
    const words = name.replaceAll('_', ' ')
    const what = `${words.charAt(0).toUpperCase()}${words.slice(1)} of ${whose(term)}${nameOf(term.feature)}, ${place}`
    const isWhole = Number.isInteger(value)
    const limits = isWhole && value > 0 ? { isWhole, min: 1, max: MAX_WINDOW } : { ...ANY, isWhole }
    return [{ way: [...way, 'params', name], label: what, value, ...limits }]
  })
}

const whose = ({ params }: Feature): string => (typeof params['ticker'] === 'string' ? `${params['ticker']}’s ` : '')

/** The tree with other numbers, by their paths. A path that leads nowhere is a mistake of the caller. */
export function withNumbers(tree: RulesTree, values: Iterable<readonly [path: string, value: number]>): RulesTree {
  let changed: unknown = tree
  for (const [path, value] of values) changed = replaced(changed, path.split('.'), value)
  return changed as RulesTree
}

function replaced(node: unknown, [head, ...rest]: readonly string[], value: number): unknown {
  if (head === undefined) return value
  if (Array.isArray(node)) return node.with(Number(head), replaced(node[Number(head)], rest, value))
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, head)) {
    throw new RangeError(`the tree has no number at ${head}`)
  }
  return { ...node, [head]: replaced((node as Record<string, unknown>)[head], rest, value) }
}

/** How many values a range has; 0 where it makes no sense. */
export function rangeLength({ from, to, step }: Omit<NumberRange, 'path'>): number {
  const isRange = [from, to, step].every(Number.isFinite) && step > 0 && from <= to
  // Steps of a tenth do not add up exactly.
  return isRange ? Math.floor((to - from) / step + 1e-9) + 1 : 0
}

export const rangeValue = ({ from, step }: Pick<NumberRange, 'from' | 'step'>, place: number): number =>
  Number((from + place * step).toPrecision(12))

export const rangeValues = (range: NumberRange): number[] =>
  Array.from({ length: rangeLength(range) }, (_, place) => rangeValue(range, place))

const STEPS = [1, 2, 2.5, 5, 10]
const STEPS_EACH_WAY = 4

/** Some steps to both sides of the present value, which is one of them. */
export function defaultRange({ path, value, isWhole, min, max }: TreeNumber): NumberRange {
  const wanted = value === 0 ? 1 : Math.abs(value) / 8
  const power = 10 ** Math.floor(Math.log10(wanted))
  const nice = power * STEPS.findLast((one) => one * power <= wanted * (1 + 1e-9))!
  const step = isWhole ? Math.max(1, Math.floor(nice)) : nice
  const down = Math.max(0, Math.min(STEPS_EACH_WAY, Math.floor((value - min) / step + 1e-9)))
  const up = Math.max(0, Math.min(STEPS_EACH_WAY, Math.floor((max - value) / step + 1e-9)))
  const around = { from: value, step }
  return { path, from: rangeValue(around, -down), to: rangeValue(around, up), step: Number(step.toPrecision(12)) }
}
