import { kindNamed } from '@tradewright/core/strategy-kinds'
import { useEffect, useReducer, useRef, useState, useTransition } from 'react'
import { useUser } from '../../app/session.ts'
import { todayUtc } from '../../strategy-form/dates.ts'
import { useTabInAddress } from '../../ui/layout/tabs.tsx'
import type { Pane } from '../../ui/layout/two-columns.tsx'
import type { StudioResult } from './answer/studio-result.ts'
import { dropStudioDraft, isResumed, keepStudioDraft, readStudioDraft, type StudioDraft } from './form/draft.ts'
import { exampleForm, tickerForm } from './form/example-form.ts'
import { type BacktestForm, editForm, hasEdits, newForm } from './form/form.ts'
import { settingsOf } from './form/form-request.ts'
import type { KeptRun } from './kept/kept-run.ts'
import { copyName } from './kept/names.ts'
import {
  backtestFailed,
  CANCELLED,
  duplicated,
  failureSentence,
  numbersUsed,
  optimizedLoaded,
  PORTFOLIOS_CANCELLED,
  replacedBy,
  startedOver,
  type StudioMessage,
  tickersTaken,
  weightsUsed,
} from './messages.ts'
import { constructible } from './construct/construct-form.ts'
import { plannedRuns } from './portfolios/portfolio-table.ts'
import { useShownPortfolios } from './portfolios/use-shown-portfolios.ts'
import { useRefreshSaved } from './queries.ts'
import { SETUP_TABS } from './setup-panel.tsx'
import {
  useAskedNew,
  useAskedTicker,
  useConstructOnShow,
  useExample,
  useOptimized,
  useReport,
  useStudyOnShow,
} from './address-state.ts'
import { useBacktestRun } from './use-backtest-run.ts'
import { firstProblemCard } from './rules/card-problems.ts'
import type { RulesRefusal } from './rules/rules-pane.tsx'
import { problemsOfRefusal, problemsOfResult } from './rules/run-problems.ts'
import { useLoading } from './use-loading.ts'
import { useSavedChoice } from './use-saved-choice.ts'

interface Shown {
  /** Tells one result from the next, even where the figures are the same. */
  number: number
  result: StudioResult
  kept: KeptRun
  /** The settings it was run with. */
  form: BacktestForm
  /** The whole result as JSON, to be downloaded. */
  file: Blob
}

/** State of the screen: the form, what is chosen, the run, the result on show and the message above it. */
export function useStudio() {
  const user = useUser()
  const [optimized] = useOptimized()
  const [isExample, setExampleRead] = useExample()
  const isNew = useAskedNew()
  const askedTicker = useAskedTicker()
  const [choice, setChoice] = useSavedChoice()
  const [portfolios, setPortfolios] = useShownPortfolios()
  const [left] = useState(() => (optimized || askedTicker || isExample ? null : readStudioDraft(user.id)))
  const [draft] = useState(() => (left && !isNew && isResumed(left, choice, portfolios) ? left : null))
  const [form, setForm] = useReducer(editForm, null, () => {
    if (optimized) return optimized
    if (askedTicker) return tickerForm(askedTicker, todayUtc())
    if (isExample) return exampleForm(todayUtc())
    return draft?.form ?? newForm(todayUtc())
  })
  const [tab, setTab] = useTabInAddress(SETUP_TABS)
  const isOpening = !optimized && (draft?.choice ?? choice).backtestId !== ''
  const [pane, setPane] = useState<Pane>(isOpening ? 'Results' : 'Setup')
  const [shown, setShown] = useState<Shown | null>(null)
  /** The settings of what is shown, one result or portfolios side by side. */
  const [ranWith, setRanWith] = useState(draft?.ranWith ?? null)
  const [message, setMessage] = useState<StudioMessage | null>(
    () => optimized && optimizedLoaded(optimized.strategyName),
  )
  const [refused, setRefused] = useState<RulesRefusal | null>(null)
  const [isReport, setReport] = useReport()
  const refreshSaved = useRefreshSaved()

  // What a link loaded is found by its address again, and does not replace a draft until it is changed.
  const isOwnWork = useRef(optimized !== null || draft !== null)
  useEffect(() => {
    if (isOwnWork.current)
      keepStudioDraft(user.id, { form, choice, portfolios: portfolios.filter((one) => 'id' in one), ranWith })
  }, [form, choice, portfolios, ranWith, user.id])
  const setOwnWork = () => {
    isOwnWork.current = true
  }
  /** Whether something was typed that neither a saved strategy nor a run holds. */
  const isUnsaved = useRef(draft !== null && draft.choice.backtestId === '')
  const edit = (change: Partial<BacktestForm>) => {
    setOwnWork()
    isUnsaved.current = true
    setForm(change)
  }

  // A full panel takes a while to make; in a transition the page goes on answering meanwhile.
  const [isShowing, startShowing] = useTransition()
  const show = (next: Omit<Shown, 'number'>, { isBehindWork = false } = {}) =>
    startShowing(() => {
      setShown((before) => ({ ...next, number: (before?.number ?? 0) + 1 }))
      if (!isBehindWork) setPane('Results')
    })
  /** A link to a study or a construction may name a result, too, which arrives later and stays behind it. */
  const isBehindWork = useRef(isOpening && /[?&](?:study|construct)=/.test(window.location.search))
  const loading = useLoading({
    isOpening,
    setChoice,
    edit: setForm,
    show: ({ answer, file }, itsForm, isInForm) => {
      if (isInForm) setRanWith(settingsOf(itsForm))
      const { id, name, saved: isSaved, strategy_id: strategyId } = answer
      const loaded = { result: answer.result_data, kept: { id, name, isSaved, strategyId }, form: itsForm, file }
      show(loaded, { isBehindWork: isBehindWork.current })
      isBehindWork.current = false
    },
    tell: setMessage,
  })

  /** The settings of the portfolios that are being run. */
  const portfoliosRun = useRef<string | null>(null)
  const run = useBacktestRun({
    onResult: ({ answer, file }, itsForm) => {
      const { result_id: id, result_name: name, strategy_id: strategyId, backtest_id } = answer
      show({ result: answer, kept: { id, name, isSaved: backtest_id !== null, strategyId }, form: itsForm, file })
      setChoice({ strategyId: String(strategyId ?? ''), backtestId: String(id) })
      isUnsaved.current = false
      setRanWith(settingsOf(itsForm))
      setRefused({ of: itsForm.rules, problems: problemsOfResult(itsForm.rules, answer), asked: null })
      void refreshSaved()
    },
    onPortfolios: (outcomes) => {
      setShown(null)
      setRanWith(portfoliosRun.current)
      setPane('Results')
      setPortfolios(
        outcomes.map(({ title, isBenchmark, ...outcome }) =>
          'id' in outcome
            ? { id: outcome.id, isBenchmark }
            : { title, isBenchmark, failure: failureSentence(outcome.error) },
        ),
      )
      void refreshSaved()
    },
    onFailure: (error, itsForm) => {
      setMessage(backtestFailed(error))
      const problems = problemsOfRefusal(error)
      if (itsForm === null || problems.length === 0) return
      const path = firstProblemCard(itsForm.rules, problems)
      setRefused({ of: itsForm.rules, problems, asked: path === undefined ? null : { path } })
      setPane('Work')
    },
    onCancelled: () => setMessage(form.portfolios ? PORTFOLIOS_CANCELLED : CANCELLED),
  })
  const start = (change: Partial<BacktestForm> = {}, options: { retryData?: boolean } = {}) => {
    const next = editForm(form, change)
    edit({ ...change, isPeriodChosen: true })
    setMessage(null)
    loading.stop()
    const planned = plannedRuns(next)
    portfoliosRun.current = settingsOf(next)
    void (planned.length > 0 ? run.startPortfolios(planned, options) : run.start(next, options))
  }

  /** Fills the form with a ready strategy and runs it. Settings of the user's own can be brought back. */
  const runReady = (ready: BacktestForm) => {
    const before = form
    const hadOwnWork = isOwnWork.current && hasEdits(form, todayUtc())
    setChoice({ strategyId: '', backtestId: '' })
    start(ready)
    if (!hadOwnWork) return
    setMessage(
      replacedBy(ready.strategyName, () => {
        edit(before)
        setMessage(null)
      }),
    )
  }

  // Once, for the address the page was opened with; later choices load themselves.
  useEffect(() => {
    if (optimized) return
    if (isNew && left) {
      dropStudioDraft(user.id)
      // What was run with these settings is under Recent runs.
      if (left.ranWith !== settingsOf(left.form) && hasEdits(left.form, todayUtc())) {
        setMessage(startedOver(() => bringBack(left)))
      }
      return
    }
    if (draft?.portfolios && !draft.choice.backtestId && portfolios.length === 0) setPortfolios(draft.portfolios)
    else if (draft) loading.resume(draft.choice)
    else if (choice.backtestId) loading.chooseBacktest(choice.strategyId, choice.backtestId)
    else if (choice.strategyId) loading.chooseStrategy(choice.strategyId)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const bringBack = ({ form: before, choice: chosen, ranWith: itsSettings = null }: StudioDraft) => {
    edit(before)
    setRanWith(itsSettings)
    setMessage(null)
    loading.resume(chosen)
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

  const wayBack = () => {
    const before = { form, choice, shown, ranWith }
    return () => {
      edit(before.form)
      setChoice(before.choice)
      setShown(before.shown)
      setRanWith(before.ranWith)
      setMessage(null)
    }
  }

  /** What was typed and is held nowhere else can be brought back. */
  const replacing = () => {
    const undo = isUnsaved.current && hasEdits(form, todayUtc()) ? wayBack() : undefined
    isOwnWork.current = false
    return (name: string) => {
      setOwnWork()
      isUnsaved.current = false
      if (undo) setMessage(name === '' ? startedOver(undo) : replacedBy(name, undo))
    }
  }

  const startOver = () => {
    const undo = wayBack()
    loading.stop()
    isOwnWork.current = false
    dropStudioDraft(user.id)
    setForm(newForm(todayUtc()))
    setChoice({ strategyId: '', backtestId: '' })
    setShown(null)
    setPane('Setup')
    setMessage(startedOver(undo))
  }

  /** The settings of the result on show as a new strategy; the result stays beside them until the next run. */
  const duplicate = () => {
    if (!shown) return
    const strategyName = copyName(shown.result.strategy_name)
    edit({ ...shown.form, strategyName, backtestName: '', saveStrategy: false, saveBacktest: false })
    setTab('setup')
    setPane('Setup')
    setMessage(duplicated(strategyName))
  }

  /** After the result on show was saved or renamed. */
  const setKept = (kept: KeptRun, strategyName?: string) => {
    setShown((before) => before && { ...before, kept, result: renamed(before.result, strategyName) })
    setChoice(
      { strategyId: String(kept.strategyId ?? ''), backtestId: String(kept.id) },
      { isOfPortfolios: portfolios.length > 0 },
    )
    if (strategyName !== undefined && !form.portfolios) edit({ strategyName })
  }

  const [study, openStudy] = useStudyOnShow({
    isRules: kindNamed(form.strategyType).hasBlocks === true,
    load: setForm,
    show: () => setPane('Work'),
  })
  /** Numbers that a study found, with the way back. */
  const takeNumbers = (rules: BacktestForm['rules']) => {
    const before = form.rules
    edit({ rules })
    openStudy(null)
    setMessage(
      numbersUsed(() => {
        edit({ rules: before })
        setMessage(null)
      }),
    )
  }

  const [construct, openConstruct] = useConstructOnShow({
    isAllocation: kindNamed(form.strategyType).isFixed === true,
    load: setForm,
    show: setPane,
  })
  /** What mix of the same tickers would have been better over the same period; the form is that of the result then. */
  const constructFromResult = () => {
    if (!shown) return
    const before = form
    edit({ ...constructible(shown.form, shown.result), strategyName: '', backtestName: '' })
    openConstruct('new')
    setMessage(
      tickersTaken(() => {
        edit(before)
        openConstruct(null)
        setMessage(null)
      }),
    )
  }
  /** Weights that a construction found, with the way back. */
  const takeWeights = (allocations: BacktestForm['allocations'], method: string) => {
    const before = form.allocations
    edit({ allocations })
    openConstruct(null)
    setPane('Setup')
    setMessage(
      weightsUsed(method, () => {
        edit({ allocations: before })
        setMessage(null)
      }),
    )
  }

  /** The whole result of one of the portfolios; the form keeps its columns. */
  const openPortfolio = (id: number) => {
    setShown(null)
    loading.resume({ strategyId: '', backtestId: String(id) })
  }
  const backToPortfolios = () => {
    loading.stop()
    setChoice({ strategyId: '', backtestId: '' }, { isOfPortfolios: true })
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
    isOutdated: ranWith !== null && ranWith !== settingsOf(form),
    isOpening: loading.isOpening,
    isReport,
    setReport,
    message,
    setMessage,
    choice,
    setChoice,
    chooseStrategy: (id: string) => loading.chooseStrategy(id, replacing()),
    chooseBacktest: (strategyId: string, id: string) => loading.chooseBacktest(strategyId, id, replacing()),
    portfolios,
    study,
    openStudy,
    takeNumbers,
    construct,
    openConstruct,
    takeWeights,
    constructFromResult,
    openPortfolio,
    backToPortfolios,
    startOver,
    duplicate,
    setKept,
    run,
    runReady,
    refused,
    start,
    isShowing,
  }
}

const renamed = (result: StudioResult, strategyName: string | undefined): StudioResult =>
  strategyName === undefined ? result : { ...result, strategy: strategyName, strategy_name: strategyName }
