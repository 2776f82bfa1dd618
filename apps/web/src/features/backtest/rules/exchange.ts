import { RulesTree as RulesTreeSchema } from '@tradewright/contract/rules'
import { MAX_BLOCKS, RULES_VERSION, type RulesTree } from '@tradewright/core/rules/tree'
import type { z } from 'zod'
import { parsed } from '../../../lib/http.ts'
import type { Family, RuleNode } from './kinds.ts'
import { countCards } from './tree-edits.ts'

/** Far more than 500 blocks take. */
const MAX_CHARS = 2_000_000

type Read<Value> = { readonly value: Value } | { readonly sentence: string }

export const rulesText = (tree: RulesTree): string => `${JSON.stringify(tree, null, 2)}\n`

/** Whether two trees say the same, whatever the order of their fields: a database keeps an order of its own. */
export const isSameTree = (a: unknown, b: unknown): boolean => sortedText(a) === sortedText(b)

const sortedText = (tree: unknown): string =>
  JSON.stringify(tree, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

/** A tree from a file or the clipboard. Whatever it is, the answer is a tree or a sentence. */
export function readRulesText(text: string): Read<RulesTree> {
  if (text.length > MAX_CHARS) return { sentence: 'The file is too long to be a strategy of rules.' }
  const value = parsed(text)
  if (value === undefined) return { sentence: 'This is not JSON.' }
  return readTree(value)
}

/** One card that was copied, of this family. */
export function readNodeText(text: string, family: Family): Read<RuleNode> {
  const node = text.length > MAX_CHARS ? undefined : parsed(text)
  const cash = { kind: 'cash', id: 'cash' }
  const root = family === 'block' ? node : { kind: 'if', id: 'if', condition: node, yes: cash, no: cash }
  const read = readTree({ version: RULES_VERSION, check: 'daily', cash: 'CASHX', root })
  if ('sentence' in read) {
    return { sentence: `The clipboard holds no ${family}. Copy a ${family} card first.` }
  }
  const { root: found } = read.value
  return { value: family === 'condition' && found.kind === 'if' ? found.condition : found }
}

/** As a draft or a saved strategy has it. A number out of its range stays: the card says what is wrong with it. */
export function readTree(value: unknown): Read<RulesTree> {
  try {
    const { success, data, error } = RulesTreeSchema.safeParse(value)
    const serious = error?.issues.find((issue) => !isUnfinished(issue))
    if (serious) return { sentence: `${whereOf(serious.path)}${serious.message}` }
    const tree = success ? data : (value as RulesTree)
    const count = countCards(tree)
    if (count > MAX_BLOCKS) {
      return { sentence: `The tree has ${count} blocks; up to ${MAX_BLOCKS} are allowed.` }
    }
    return { value: tree }
  } catch (error) {
    // What is nested beyond reason has no room on the stack.
    if (error instanceof RangeError) return { sentence: 'The rules are nested too deeply.' }
    throw error
  }
}

/** Half typed: a number out of its range or with decimals, or a block to use that is not chosen yet. */
function isUnfinished(issue: z.core.$ZodIssue): boolean {
  const { code, path } = issue
  if (code === 'too_small' || code === 'too_big') return true
  return code === 'invalid_type' ? issue.expected === 'int' : code === 'invalid_format' && path.at(-1) === 'of'
}

const MAX_SHOWN = 60

const whereOf = (path: readonly PropertyKey[]): string =>
  path.length === 0 ? '' : `${path.map(String).join('.').slice(0, MAX_SHOWN)}: `
