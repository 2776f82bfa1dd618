import { RulesTree } from '@tradewright/contract/rules'
import type { RuleProblem } from '@tradewright/core/rules/problems'
import type { RulesStrategy } from '@tradewright/engine/backtest/request'
import { rulesProblem } from '@tradewright/engine/rules/compile'
import { invalidField, jsonField } from '../input/form-values.ts'

/** The JSON of a tree. What is wrong with its shape is said at the block concerned; its meaning is checked by the plan. */
export function rulesStrategy(text: string | undefined): RulesStrategy {
  if (text === undefined || text.trim() === '') throw invalidField('The strategy has no rules: add a block.')
  const value = jsonField('The rules', text)
  const parsed = RulesTree.safeParse(value)
  if (parsed.success) return { kind: 'rules', tree: parsed.data }
  throw rulesProblem(parsed.error.issues.map(({ path, message }) => problemAt(value, path, message)))
}

function problemAt(value: unknown, path: readonly PropertyKey[], sentence: string): RuleProblem {
  let block: string | undefined
  let part = value
  for (const key of path) {
    part = isObject(part) && Object.hasOwn(part, key) ? part[key] : undefined
    if (isObject(part) && typeof part['id'] === 'string') block = part['id'].slice(0, MAX_SHOWN)
  }
  return { block, path: path.map(String).join('.'), sentence }
}

const MAX_SHOWN = 40

const isObject = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === 'object' && value !== null
