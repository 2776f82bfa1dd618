import { isLike } from '../../../strategy-form/is-like.ts'
import { type DeployDraft, newDraft } from './draft.ts'

/** Null where the address asks for another strategy than the draft is about. */
export const draftFor = (askedStrategyId: string, draft: DeployDraft | null): DeployDraft | null =>
  askedStrategyId !== '' && askedStrategyId !== draft?.strategyId ? null : draft

/** A form as it was left; null where there is none, or where another version wrote it. */
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
