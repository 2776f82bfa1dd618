import type { OptimizationRun } from '@tradewright/contract/optimization-run'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer, useRef, useState, useCallback } from 'react'
import { OPTIMIZER_JOB } from '@tradewright/contract/optimizer'
import { useSearchParams } from 'react-router'
import { CallError } from '../../lib/call-error.ts'
import { useUser } from '../../app/session-context.ts'
import { todayUtc } from '../../strategy-form/dates.ts'
import { featuresQuery } from '../../strategy-form/queries.ts'
import type { Pane } from '../../ui/layout/two-columns.tsx'
import { dropOptimizerDraft, keepOptimizerDraft, readOptimizerDraft } from './form/draft.ts'
import { editForm, newForm, type OptimizerForm, type Seed } from './form/form.ts'
import { fromRun } from './form/form-reading.ts'
import { toRequest } from './form/form-request.ts'
import { refusalOf } from './form/form-warnings.ts'
import { failedTo, type Message, refused, runFailed, told } from './messages.ts'
import { runOptions, useRun, useRuns } from './queries.ts'
import { isInProgress } from './run-status.ts'
import { nothingToOffer, offeredSeeds } from './seeds.ts'
import { useTickerLists } from '../../strategy-form/tickers/ticker-queries.ts'
import { useRunCall } from './use-run-call.ts'
import { watchJobs } from '../../lib/events.ts'
import { fetchFresh } from '../../lib/fetch-fresh.ts'
import { throttle } from '../../lib/throttle.ts'
import { useTabInAddress } from '../../ui/layout/use-tab-in-address.ts'

/** State of the screen: the form, the run on show, the message above it, and the open question. */
export function useOptimizer() {
  const place = usePlaceInAddress()
  const user = useUser()
  const [draft] = useState(() => readOptimizerDraft(user.id, place.runId))
  const [form, setForm] = useReducer(editForm, null, () => draft?.form ?? newForm(todayUtc()))
  // What a link loaded is found by its address again, and does not replace a draft until it is changed.
  const isOwnWork = useRef(draft !== null)
  useEffect(() => {
    if (isOwnWork.current) keepOptimizerDraft(user.id, { form, runId: place.runId })
  }, [form, place.runId, user.id])
  const edit = (change: Partial<OptimizerForm>) => {
    isOwnWork.current = true
    setForm(change)
  }
  const [pane, setPane] = useState<Pane>(draft?.runId ? 'Results' : 'Setup')
  const [message, setMessage] = useState<Message | null>(null)
  /** Best features of the run that was loaded, while the user has not said whether to take them as seeds. */
  const [offered, setOffered] = useState<Seed[] | null>(null)
  const runs = useRuns()
  const lists = useTickerLists()
  const run = useWatchedRun(place.runId)

  const show = (runId: string) => {
    place.setRunId(runId)
    setPane('Results')
  }
  const runCall = useRunCall({
    onFound: show,
    onFailure: (error) => setMessage(isCancelled(error) ? told('The run was cancelled.') : runFailed(error)),
  })
  const offerSeeds = ({ run: loaded, form: itsForm }: Loaded) => {
    const best = loaded.results?.best_features ?? []
    const nothing = nothingToOffer(best, itsForm)
    const { seeds } = offeredSeeds(best, itsForm)
    if (nothing !== null) setMessage(told(nothing))
    else if (seeds.length > 0) setOffered(seeds)
  }
  const load = useLoading({
    onLoaded: (loaded) => {
      setForm(loaded.form)
      setPane('Results')
    },
    onFailed: (error) => setMessage(failedTo('load run', error)),
  })

  const choose = (runId: string) => {
    runCall.leave()
    setMessage(null)
    place.setRunId(runId)
    // Until it is loaded the form is that of another run.
    isOwnWork.current = false
    if (runId === '') {
      dropOptimizerDraft(user.id)
      return setForm(newForm(todayUtc()))
    }
    void load(runId).then((loaded) => {
      if (!loaded) return
      isOwnWork.current = true
      keepOptimizerDraft(user.id, { form: loaded.form, runId })
      if (loaded.run.status === 'completed') offerSeeds(loaded)
    })
  }

  // Once: the run that the address names, else the one that was left running.
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current || (place.runId === '' && !runs.data)) return
    isFirst.current = false
    const left = runs.data?.some(({ id }) => String(id) === draft?.runId) ? draft?.runId : undefined
    const runId = place.runId || left || String(runs.data?.find(isInProgress)?.id ?? '')
    if (runId === '') return
    place.setRunId(runId)
    // The form of a draft stays as it was typed; the page itself asks for the run.
    if (!draft) void load(runId)
  }, [place, runs.data, load, draft])

  const start = () => {
    const refusal = refusalOf(form)
    setMessage(refusal === null ? null : refused(refusal))
    if (refusal !== null) return
    const client_run_id = crypto.randomUUID()
    void runCall.start({ ...toRequest(form, client_run_id, lists.data ?? []), client_run_id })
  }

  return {
    ...place,
    form,
    edit,
    pane,
    setPane,
    message,
    setMessage,
    offered,
    setOffered,
    runs: runs.data ?? [],
    run: place.runId === '' ? undefined : run.data,
    isLoadingRun: place.runId !== '' && run.isPending && !run.isError,
    isRunning: runCall.isOpen || (place.runId !== '' && run.data !== undefined && isInProgress(run.data)),
    choose,
    show,
    start,
  }
}

const isCancelled = (error: unknown): boolean => error instanceof CallError && error.code === 'optimizer.cancelled'

/** Asked again with every event of it. */
function useWatchedRun(runId: string) {
  const run = useRun(runId)
  const isLive = run.data !== undefined && isInProgress(run.data)
  useRunEvents(runId, isLive, () => void run.refetch({ cancelRefetch: false }))
  return run
}

interface Loaded {
  run: OptimizationRun
  form: OptimizerForm
}

interface Loading {
  onLoaded: (loaded: Loaded) => void
  onFailed: (error: unknown) => void
}

/** When two loads follow each other, only the later one arrives; the other gives null. */
function useLoading(listener: Loading) {
  const queries = useQueryClient()
  const latest = useRef(0)
  const heard = useRef(listener)
  useEffect(() => {
    heard.current = listener
  })
  const [load] = useState(() => async (runId: string): Promise<Loaded | null> => {
    const ticket = ++latest.current
    try {
      const catalogue = queries.ensureQueryData(featuresQuery).catch(() => [])
      const run = await fetchFresh(queries, runOptions(queries, runId))
      const loaded = { run, form: fromRun(run, await catalogue) }
      if (ticket !== latest.current) return null
      heard.current.onLoaded(loaded)
      return loaded
    } catch (error) {
      if (ticket === latest.current) heard.current.onFailed(error)
      return null
    }
  })
  return load
}

/** Throttle: a quick run has dozens of events a second, more than can be read. */
const REFRESH_INTERVAL_MS = 250

/** Calls `onNews` soon after the server has said something of this run. The run is polled too, should an event get lost. */
function useRunEvents(runId: string, isWatched: boolean, onNews: () => void): void {
  const latest = useRef(onNews)
  useEffect(() => {
    latest.current = onNews
  })
  useEffect(() => {
    if (!isWatched) return undefined
    const news = throttle(() => latest.current(), REFRESH_INTERVAL_MS)
    const stopWatching = watchJobs({
      onJob: ({ kind, subject }) => {
        if (kind === OPTIMIZER_JOB && subject === runId) news.call()
      },
      onResync: () => news.call(),
    })
    return () => {
      stopWatching()
      news.stop()
    }
  }, [runId, isWatched])
}

const TABS = ['optimization', 'leading-indicators'] as const

/** Which tab and which run are on show. It lives in the address, so that a reload or a link leads to the same place. */
function usePlaceInAddress() {
  const [query, setQuery] = useSearchParams()
  const [tab, setTab] = useTabInAddress(TABS)
  const setRunId = useCallback(
    (id: string) => {
      const next = new URLSearchParams(window.location.search)
      if (id) next.set('run', id)
      else next.delete('run')
      setQuery(next, { replace: true, preventScrollReset: true })
    },
    [setQuery],
  )
  return { tab, setTab, runId: query.get('run') ?? '', setRunId }
}
