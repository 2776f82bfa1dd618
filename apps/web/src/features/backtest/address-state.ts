import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { todayUtc } from '../../strategy-form/dates.ts'
import { EXAMPLE } from '../../strategy-form/example.ts'
import { refusalOf } from '../../strategy-form/tickers/ticker-text.ts'
import type { Pane } from '../../ui/layout/two-columns.tsx'
import { constructionQueries } from './construct/queries.ts'
import type { BacktestForm } from './form/form.ts'
import { fromOptimized, fromSavedStrategy } from './form/form-reading.ts'
import { studyQueries } from './study/queries.ts'
import { type OpenInAddress, useOpenInAddress } from './use-open-in-address.ts'

interface StudyOnShow {
  isRules: boolean
  load: (form: BacktestForm) => void
  show: () => void
}

/** The study of the address. Where the form is of another kind of strategy, it is filled with that of the study. */
export function useStudyOnShow({ isRules, load, show }: StudyOnShow) {
  const [study, setStudy] = useOpenInAddress('study')
  const { data } = studyQueries.useRun(study !== null && study !== 'new' && !isRules ? study : null)
  useEffect(() => {
    if (study !== null) show()
    // Once for each study: the pane may be changed afterwards.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [study])
  useEffect(() => {
    if (!data || isRules) return
    load(fromSavedStrategy({ name: data.strategy_name, strategy_type: 'Rules', config: data.config }, todayUtc()))
    // The same function all the time.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [data, isRules])
  const open = (next: OpenInAddress) => {
    setStudy(next)
    show()
  }
  return [study, open] as const
}

interface ConstructOnShow {
  isAllocation: boolean
  load: (form: BacktestForm) => void
  show: (pane: Pane) => void
}

/** The construction of the address. Where the form is of another kind of strategy, it is filled with that of the construction. */
export function useConstructOnShow({ isAllocation, load, show }: ConstructOnShow) {
  const [construct, setConstruct] = useOpenInAddress('construct')
  const { data } = constructionQueries.useRun(
    construct !== null && construct !== 'new' && !isAllocation ? construct : null,
  )
  useEffect(() => {
    if (construct !== null) show('Work')
    // Once for each construction: the pane may be changed afterwards.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [construct])
  useEffect(() => {
    if (!data || isAllocation) return
    load(fromSavedStrategy({ name: data.name, strategy_type: 'Asset Allocation', config: data.config }, todayUtc()))
    // The same function all the time.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [data, isAllocation])
  const open = (next: OpenInAddress) => {
    setConstruct(next)
    show(next === null ? 'Results' : 'Work')
  }
  return [construct, open] as const
}

/** Whether the result is shown as a report. It lives in the address, so that Back leaves it. */
export function useReport() {
  const [query, setQuery] = useSearchParams()
  const setReport = (isReport: boolean) => {
    const next = new URLSearchParams(query)
    if (isReport) next.set('view', 'report')
    else next.delete('view')
    setQuery(next)
  }
  return [query.get('view') === 'report', setReport] as const
}

/** Whether `?new` asks for a new form in place of the one that was left: read once, then out of the address. */
export function useAskedNew(): boolean {
  const [query, setQuery] = useSearchParams()
  const [isAsked] = useState(() => query.has('new'))
  const isInAddress = query.has('new')
  useEffect(() => {
    if (isInAddress) setQuery({}, { replace: true })
  }, [isInAddress, setQuery])
  return isAsked
}

/** Whether the address asks for the example, and how to take that out of it: a reload does not run it again. */
export function useExample() {
  const [query, setQuery] = useSearchParams()
  const [isAsked] = useState(() => query.get('example') === EXAMPLE.id)
  return [isAsked, () => setQuery({}, { replace: true })] as const
}

/** The Optimizer's hand-over, read once: a reload should not bring it back over what was edited since. */
export function useOptimized() {
  const { state, pathname } = useLocation()
  const navigate = useNavigate()
  const once = useState(() => fromOptimized(state, todayUtc()))
  useEffect(() => {
    if (state !== null) void navigate(pathname, { replace: true, state: null })
  }, [state, pathname, navigate])
  return once
}

/** Other screens lead here with `?ticker=`: read once, then out of the address. Null without one, or for no ticker. */
export function useAskedTicker(): string | null {
  const [query, setQuery] = useSearchParams()
  const [asked] = useState(() => query.get('ticker')?.trim().toUpperCase())
  const isInAddress = query.has('ticker')
  useEffect(() => {
    if (isInAddress) setQuery({}, { replace: true })
  }, [isInAddress, setQuery])
  return asked && refusalOf(asked) === undefined ? asked : null
}
