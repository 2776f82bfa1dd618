import { operandsOf, type RuleProblem } from './problems.ts'
import {
  type Block,
  childBlocks,
  childConditions,
  type Condition,
  conditionsOf,
  featuresOf,
  type Operand,
  type RulesTree,
} from './tree.ts'

type Path = readonly (string | number)[]

/** The block or condition of each ticker that a tree names, as it is written. */
export function tickerPlaces({ root, cash }: RulesTree): (Omit<RuleProblem, 'sentence'> & { ticker: string })[] {
  const places: (Omit<RuleProblem, 'sentence'> & { ticker: string })[] = [
    { block: undefined, path: 'cash', ticker: cash },
  ]
  const add = (block: string, path: Path, tickers: readonly unknown[]) => {
    for (const ticker of tickers) if (typeof ticker === 'string') places.push({ block, path: path.join('.'), ticker })
  }
  const addOperand = (operand: Operand, block: string, path: Path) =>
    add(
      block,
      path,
      featuresOf(operand).flatMap(({ params }) => [params['ticker'], params['other_ticker']]),
    )
  const walkCondition = (condition: Condition, path: Path) => {
    for (const { operand, path: side } of operandsOf(condition)) addOperand(operand, condition.id, [...path, side])
    for (const child of childConditions(condition)) walkCondition(child.condition, [...path, ...child.path])
  }
  const walk = (block: Block, path: Path) => {
    if (block.kind === 'hold') {
      add(
        block.id,
        path,
        block.rows.map(({ ticker }) => ticker),
      )
    }
    if (block.kind === 'pick') add(block.id, path, block.tickers)
    if (block.kind === 'pick' && block.rank) addOperand(block.rank.by, block.id, [...path, 'rank', 'by'])
    for (const child of conditionsOf(block)) walkCondition(child.condition, [...path, ...child.path])
    for (const child of childBlocks(block)) walk(child.block, [...path, ...child.path])
  }
  walk(root, ['root'])
  return places
}
