import { dropDraft, keepDraft, readDraft } from '../../../lib/drafts.ts'
import { todayUtc } from '../../../strategy-form/dates.ts'
import { isLike } from '../../../strategy-form/is-like.ts'
import { newForm, type OptimizerForm } from './form.ts'

/** The form as it was left, with the run that was chosen. */
interface OptimizerDraft {
  form: OptimizerForm
  runId: string
}

const NAME = 'optimizer'

export const keepOptimizerDraft = (userId: number, draft: OptimizerDraft) => keepDraft(NAME, userId, draft)
export const dropOptimizerDraft = (userId: number) => dropDraft(NAME, userId)

/** Null where there is none, where another version wrote it, or where the address asks for another run. */
export function readOptimizerDraft(userId: number, askedRunId: string): OptimizerDraft | null {
  const draft = readDraft(NAME, userId)
  const row = { key: 0, ticker: '', allocation: '' }
  const { target: _, ...form } = newForm(todayUtc())
  const template = {
    form: {
      ...form,
      featureTypes: [{ id: '', name: '', ranges: {} }],
      seeds: [{ id: '', name: '', params: {} }],
      signal1Allocations: [row],
      signal0Allocations: [row],
    },
    runId: '',
  }
  if (!isLike(template, draft) || (askedRunId !== '' && askedRunId !== draft.runId)) return null
  const target = 'target' in draft.form ? draft.form.target : null
  return { ...draft, form: { ...draft.form, target: isLike({ id: '', params: {} }, target) ? target : null } }
}
