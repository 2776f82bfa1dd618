import type { PeriodFilter } from '@tradewright/contract/portfolio'

/** The dates count for the custom filter only. */
export interface Period {
  filter: PeriodFilter
  start: string
  end: string
}

const WHOLE_PERIOD: Period = { filter: 'all', start: '', end: '' }

export const PERIOD_LABELS = {
  all: 'All',
  ytd: 'YTD',
  '1y': '1Y',
  '2y': '2Y',
  '3y': '3Y',
  custom: 'Custom',
} as const satisfies Record<PeriodFilter, string>

/** The period chosen in the form, and the period of the shown data. */
interface PeriodState {
  chosen: Period
  applied: Period
}

export const newPeriodState: PeriodState = { chosen: WHOLE_PERIOD, applied: WHOLE_PERIOD }

export type PeriodEdit =
  { type: 'filter'; filter: PeriodFilter } | { type: 'dates'; start?: string; end?: string } | { type: 'apply' }

/** A filter counts at once; custom dates only when both are set and applied. */
export function editPeriod(state: PeriodState, edit: PeriodEdit): PeriodState {
  if (edit.type === 'filter') {
    const chosen = { ...state.chosen, filter: edit.filter }
    return { chosen, applied: edit.filter === 'custom' ? state.applied : chosen }
  }
  if (edit.type === 'dates') {
    const { start = state.chosen.start, end = state.chosen.end } = edit
    return { ...state, chosen: { ...state.chosen, start, end } }
  }
  return isApplicable(state.chosen) ? { ...state, applied: state.chosen } : state
}

export const isApplicable = ({ start, end }: Period): boolean => start !== '' && end !== ''

/** The call's query: dates travel with the custom filter alone. */
export function toQuery({ filter, start, end }: Period) {
  return filter === 'custom' ? { filter_type: filter, start_date: start, end_date: end } : { filter_type: filter }
}
