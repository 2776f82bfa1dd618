import type { BacktestReference } from '@tradewright/contract/backtests'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer, useRef, useState, useTransition } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { todayUtc } from '../../strategy-form/dates.ts'
import { EXAMPLE } from '../../strategy-form/example.ts'
import type { Pane } from '../../ui/layout/two-columns.tsx'
import type { StudioAnswer, StudioResult } from './answer/studio-result.ts'
import { exampleForm } from './example-form.ts'
import { type BacktestForm, editForm, newForm } from './form.ts'
import { fromOptimized, fromSavedBacktest, fromSavedStrategy } from './form-reading.ts'
import {
  backtestFailed,
  CANCELLED,
  backtestNotLoaded,
  failedTo,
  optimizedLoaded,
  type StudioMessage,
} from './messages.ts'
import { loadBacktest, loadStrategy, useRefreshSaved } from './queries.ts'
import type { SetupTab } from './setup-panel.tsx'
import { useBacktestRun } from './use-backtest-run.ts'
import { type SavedChoice, useSavedChoice } from './use-saved-choice.ts'

interface Shown {
  /** Tells one result from the next, even where the figures are the same. */
  number: number
  result: StudioResult
  source: BacktestReference
  /** The whole result as JSON, to be downloaded. */
  file: Blob
}

/** State of the screen: the form, what is chosen, the run, the result on show and the message above it. */
export function useStudio() {
  const [optimized] = useOptimized()
  const [isExample, setExampleRead] = useExample()
  const [form, edit] = useReducer(editForm, null, () => {
    if (optimized) return optimized
    return isExample ? exampleForm(todayUtc()) : newForm(todayUtc())
  })
  const [tab, setTab] = useState<SetupTab>('setup')
  const [pane, setPane] = useState<Pane>('Setup')
  const [shown, setShown] = useState<Shown | null>(null)
  const [message, setMessage] = useState<StudioMessage | null>(
    () => optimized && optimizedLoaded(optimized.strategyName),
  )
  const [choice, setChoice] = useSavedChoice()
  const [isReport, setReport] = useReport()
  const refreshSaved = useRefreshSaved()

  // A full panel takes a while to make; in a transition the page goes on answering meanwhile.
  const [isShowing, startShowing] = useTransition()
  const show = (result: StudioResult, source: BacktestReference, file: Blob) =>
    startShowing(() => {
      setShown((before) => ({ number: (before?.number ?? 0) + 1, result, source, file }))
      setPane('Results')
    })
  const { chooseStrategy, chooseBacktest } = useLoading({
    choice,
    setChoice,
    edit,
    show,
    tell: setMessage,
    isBusy: optimized !== null,
  })

  const run = useBacktestRun({
    onResult: ({ answer, file }, runId) => {
      show(answer, answer.backtest_id === null ? { run_id: runId } : { id: answer.backtest_id }, file)
      const saved = savedChoice(answer)
      if (saved) setChoice(saved)
      if (form.saveStrategy || form.saveBacktest) void refreshSaved()
    },
    onFailure: (error) => setMessage(backtestFailed(error)),
    onCancelled: () => setMessage(CANCELLED),
  })
  const start = (change: Partial<BacktestForm> = {}, options: { retryData?: boolean } = {}) => {
    const next = editForm(form, change)
    edit(change)
    setMessage(null)
    void run.start(next, options)
  }

  // The example of the address is run at once; later, so that a page that is left right away runs nothing.
  useEffect(() => {
    if (!isExample) return undefined
    const timer = setTimeout(() => {
      setExampleRead()
      start()
    })
    return () => clearTimeout(timer)
    // Once, for the address the page was opened with.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  /** Opens the tab with the field for it. */
  const chooseReplacement = () => {
    edit({ endedTicker: 'replace' })
    setTab('config')
    setPane('Setup')
  }

  return {
    chooseReplacement,
    form,
    edit,
    tab,
    setTab,
    pane,
    setPane,
    shown,
    isReport,
    setReport,
    message,
    setMessage,
    choice,
    setChoice,
    chooseStrategy,
    chooseBacktest,
    run,
    start,
    isShowing,
  }
}

/** Whether the result is shown as a report. It lives in the address, so that Back leaves it. */
function useReport() {
  const [query, setQuery] = useSearchParams()
  const setReport = (isReport: boolean) => {
    const next = new URLSearchParams(query)
    if (isReport) next.set('view', 'report')
    else next.delete('view')
    setQuery(next)
  }
  return [query.get('view') === 'report', setReport] as const
}

/** Whether the address asks for the example, and how to take that out of it: a reload does not run it again. */
function useExample() {
  const [query, setQuery] = useSearchParams()
  const [isAsked] = useState(() => query.get('example') === EXAMPLE.id)
  return [isAsked, () => setQuery({}, { replace: true })] as const
}

function savedChoice({ strategy_id, backtest_id }: StudioAnswer): SavedChoice | null {
  if (strategy_id === null && backtest_id === null) return null
  return { strategyId: String(strategy_id ?? ''), backtestId: String(backtest_id ?? '') }
}

/** The Optimizer's hand-over, read once: a reload should not bring it back over what was edited since. */
function useOptimized() {
  const { state, pathname } = useLocation()
  const navigate = useNavigate()
  const once = useState(() => fromOptimized(state, todayUtc()))
  useEffect(() => {
    if (state !== null) void navigate(pathname, { replace: true, state: null })
  }, [state, pathname, navigate])
  return once
}

interface Loading {
  choice: SavedChoice
  setChoice: (choice: SavedChoice) => void
  edit: (form: ReturnType<typeof newForm>) => void
  show: (result: StudioResult, source: BacktestReference, file: Blob) => void
  tell: (message: StudioMessage) => void
  /** The form is already spoken for, so the address does not fill it. */
  isBusy: boolean
}

/** Loads what is chosen into the form; of two choices in a row only the later one arrives. */
function useLoading({ choice, setChoice, edit, show, tell, isBusy }: Loading) {
  const queries = useQueryClient()
  const latest = useRef(0)
  const ifLatest = async <T>(
    loading: Promise<T>,
    use: (loaded: T) => void,
    failed: (error: unknown) => StudioMessage,
  ) => {
    const ticket = ++latest.current
    try {
      const loaded = await loading
      if (ticket === latest.current) use(loaded)
    } catch (error) {
      if (ticket === latest.current) tell(failed(error))
    }
  }

  const chooseStrategy = (strategyId: string) => {
    setChoice({ strategyId, backtestId: '' })
    edit(newForm(todayUtc()))
    if (!strategyId) return
    void ifLatest(
      loadStrategy(queries, strategyId),
      (strategy) => edit(fromSavedStrategy(strategy, todayUtc())),
      (error) => failedTo('load strategy', error),
    )
  }

  const chooseBacktest = (strategyId: string, backtestId: string) => {
    setChoice({ strategyId, backtestId })
    if (!backtestId) return
    void ifLatest(
      loadBacktest(queries, backtestId),
      ({ answer: backtest, file }) => {
        edit(fromSavedBacktest(backtest, todayUtc()))
        show(backtest.result_data, { id: backtest.id }, file)
        if (backtest.strategy_id !== null) setChoice({ strategyId: String(backtest.strategy_id), backtestId })
      },
      (error) => {
        const message = backtestNotLoaded(error)
        // Nothing is chosen in the list then, and a reload does not ask for it again.
        if (message.kind === 'info') setChoice({ strategyId, backtestId: '' })
        return message
      },
    )
  }

  // Once, for the address the page was opened with; later choices load themselves.
  useEffect(() => {
    if (isBusy) return
    if (choice.backtestId) chooseBacktest(choice.strategyId, choice.backtestId)
    else if (choice.strategyId) chooseStrategy(choice.strategyId)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  return { chooseStrategy, chooseBacktest }
}
