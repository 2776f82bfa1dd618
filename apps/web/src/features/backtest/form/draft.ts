import { dropDraft, keepDraft, readDraft } from '../../../lib/browser-storage.ts'
import { todayUtc } from '../../../strategy-form/dates.ts'
import { isLike } from '../../../strategy-form/is-like.ts'
import { type BacktestForm, newForm } from './form.ts'
import type { PortfolioShown } from '../portfolios/portfolio-results.tsx'
import { idsOf } from '../portfolios/use-shown-portfolios.ts'
import { readTree } from '../rules/exchange.ts'
import type { SavedChoice } from '../use-saved-choice.ts'

/** The form as it was left, with the strategy and the result that were chosen. */
export interface StudioDraft {
  form: BacktestForm
  choice: SavedChoice
  /** Results of portfolios that were side by side. */
  portfolios?: readonly PortfolioShown[]
  /** The settings of the result on show, as `settingsOf` writes them. */
  ranWith?: string | null
}

const NAME = 'backtest'

export const keepStudioDraft = (userId: number, draft: StudioDraft) => keepDraft(NAME, userId, draft)
export const dropStudioDraft = (userId: number) => dropDraft(NAME, userId)

/** Null where there is none, or where another version wrote one that this form cannot show. */
export function readStudioDraft(userId: number): StudioDraft | null {
  return checkedDraft(readDraft(NAME, userId))
}

export function checkedDraft(draft: unknown): StudioDraft | null {
  const { target: _, portfolios: __, isPeriodChosen: ___, rules, external, ...form } = newForm(todayUtc())
  const template = {
    form: { ...form, features: [{ key: 0, id: '', name: '', params: {} }] },
    choice: { strategyId: '', backtestId: '' },
  }
  if (!isLike(template, draft)) return null
  const { target, portfolios, external: given, isPeriodChosen } = draft.form as Partial<BacktestForm>
  const read = readTree('rules' in draft.form ? draft.form.rules : undefined)
  const shown = 'portfolios' in draft && isLike([{ id: 0, isBenchmark: false }], draft.portfolios) && draft.portfolios
  return {
    choice: draft.choice,
    ...(shown && shown.length > 0 ? { portfolios: shown } : {}),
    ...('ranWith' in draft && typeof draft.ranWith === 'string' ? { ranWith: draft.ranWith } : {}),
    form: {
      ...draft.form,
      target: isLike({ id: '', params: {} }, target) ? target : null,
      portfolios: isLike(TABLE, portfolios) ? portfolios : null,
      isPeriodChosen: isPeriodChosen === true,
      // Earlier drafts had none.
      rules: 'value' in read ? read.value : rules,
      external: isLike(external, given) ? given : external,
    },
  }
}

const TABLE = {
  rows: [{ key: 0, ticker: '' }],
  columns: [{ key: 0, name: '', weights: {}, rebalanceFrequency: '', leverage: '' }],
}

/** Whether a page that was opened with this choice and these portfolios in its address goes on with the draft. */
export function isResumed(
  { choice, portfolios = [] }: StudioDraft,
  asked: SavedChoice,
  askedPortfolios: readonly PortfolioShown[] = [],
): boolean {
  if (askedPortfolios.length > 0 && idsOf(askedPortfolios) !== idsOf(portfolios)) return false
  const isBare = asked.strategyId === '' && asked.backtestId === ''
  return isBare || (asked.strategyId === choice.strategyId && asked.backtestId === choice.backtestId)
}
