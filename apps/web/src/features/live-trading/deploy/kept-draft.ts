import { isLike } from '../../../strategy-form/is-like.ts'
import { dropDraft, keepDraft, readDraft } from '../../../lib/drafts.ts'
import { type DeployDraft, newDraft } from './draft.ts'

const NAME = 'deployment'

export const keepDeployDraft = (userId: number, draft: DeployDraft) => keepDraft(NAME, userId, draft)
export const dropDeployDraft = (userId: number) => dropDraft(NAME, userId)

/** Null where there is none, where another version wrote it, or where the address asks for another strategy. */
export function readDeployDraft(userId: number, askedStrategyId: string): DeployDraft | null {
  const draft = checkedDraft(readDraft(NAME, userId))
  return askedStrategyId !== '' && askedStrategyId !== draft?.strategyId ? null : draft
}

export function checkedDraft(draft: unknown): DeployDraft | null {
  const fields = Object.entries({ ...newDraft(), emails: [''] })
  const given = Object.fromEntries(fields.filter(([, value]) => value !== null))
  const unset = fields.flatMap(([name, value]) => (value === null ? [name] : []))
  if (!isLike<object>(given, draft)) return null
  const values = draft as Record<string, unknown>
  const isText = (value: unknown) => typeof value === 'string'
  const hasTexts = (record: unknown) => Object.values(record as object).every(isText)
  const isComplete =
    unset.every((name) => values[name] === null || isText(values[name])) &&
    hasTexts(values['positions']) &&
    hasTexts(values['tickerMapping'])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field was compared with a new form's
  return isComplete ? (draft as DeployDraft) : null
}
