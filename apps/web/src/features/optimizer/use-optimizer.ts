import type { OptimizationRun, OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer, useRef, useState, useCallback } from 'react'
import { OPTIMIZER_JOB, runOptimization } from '@tradewright/contract/optimizer'
import { useSearchParams } from 'react-router'
import type { Feature } from '@tradewright/contract/features'
import type { OptimizationRequest } from '@tradewright/contract/optimizer-form'
import { getHealth } from '@tradewright/contract/health'
import { CallError } from '../../lib/call-error.ts'
import { useUser } from '../../app/session.ts'
import { todayUtc } from '../../strategy-form/dates.ts'
import { featuresQuery } from '../../strategy-form/queries.ts'
import type { Pane } from '../../ui/layout/two-columns.tsx'
import {
  editForm,
  newForm,
  type OptimizerForm,
  type Seed,
  type FeatureType,
  tickersText,
  featureTypeOf,
  isTickerParameter,
  rangeText,
} from './form/form.ts'
import { toRequest, refusalOf } from './form/form-request.ts'
import { failedTo, type Message, refused, runFailed, told } from './messages.ts'
import { runOptions, useRun, useRuns, listRuns, RUN_KEY, RUNS_KEY, isInProgress } from './queries.ts'
import { nothingToOffer, offeredSeeds } from './seeds.ts'
import { useTickerLists } from '../../strategy-form/tickers/ticker-queries.ts'
import { watchJobs, throttle } from '../../lib/events.ts'
import { fetchFresh, call } from '../../lib/http.ts'
import { useTabInAddress } from '../../ui/layout/tabs.tsx'
import { dropDraft, keepDraft, readDraft } from '../../lib/browser-storage.ts'
import { isLike } from '../../strategy-form/is-like.ts'
import { usualBoosting } from '../../strategy-form/model-settings.ts'
import { toRows } from '../../strategy-form/tickers/allocation-rows.ts'
import { findEntry } from '../../strategy-form/catalogue.ts'

/** An hour: the server goes on with the run all the same. */
export const CALL_TIMEOUT_MS = 3_600_000
export const KEEP_ALIVE_MS = 300_000
const PING_TIMEOUT_MS = 5_000

/** Pings the server while a long call is open, so that nothing in between falls asleep. The answer is not used. */
export function keepAlive(): () => void {
  const timer = setInterval(() => {
    void call(getHealth, { signal: AbortSignal.timeout(PING_TIMEOUT_MS) }).catch(() => {})
  }, KEEP_ALIVE_MS)
  return () => clearInterval(timer)
}

const LOOK_MS = 400

interface RunCall {
  /** The run has a row of its own: from here on the screen watches that. */
  onFound: (runId: string) => void
  /** The run was refused, or failed before anything was known of it. */
  onFailure: (error: unknown) => void
}

/** Starts a run by a call that stays open until it ends. Whatever becomes of the call, the run itself goes on. */
function useRunCall({ onFound, onFailure }: RunCall) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const current = useRef<AbortController | null>(null)
  useEffect(() => () => current.current?.abort(), [])

  /** Lets go of the call; the run is found again in the list. */
  const leave = () => {
    current.current?.abort()
    current.current = null
    setOpen(false)
  }

  const start = async (request: OptimizationRequest & { client_run_id: string }) => {
    leave()
    const left = new AbortController()
    current.current = left
    setOpen(true)
    const stopPinging = keepAlive()
    const answered = new AbortController()
    const ended = AbortSignal.any([left.signal, answered.signal])
    let isFound = false
    const found = (id: number) => {
      if (isFound || left.signal.aborted) return
      isFound = true
      onFound(String(id))
      void queries.invalidateQueries({ queryKey: RUNS_KEY })
    }
    void lookFor(request.client_run_id, ended).then((id) => id !== null && found(id))
    try {
      const signal = AbortSignal.any([left.signal, AbortSignal.timeout(CALL_TIMEOUT_MS)])
      found((await call(runOptimization, { body: request, signal })).run_id)
    } catch (error) {
      // The screen itself says how a run that is in sight has ended.
      if (!isFound && !left.signal.aborted) onFailure(error)
    } finally {
      answered.abort()
      stopPinging()
      for (const queryKey of [RUNS_KEY, RUN_KEY]) void queries.invalidateQueries({ queryKey })
      if (current.current === left) leave()
    }
  }

  return { isOpen, start, leave }
}

/** The run's id as soon as the list has it; null when the call ended first. */
async function lookFor(clientRunId: string, ended: AbortSignal): Promise<number | null> {
  while (!ended.aborted) {
    const runs = await listRuns(ended).catch(() => [])
    const run = runs.find(({ client_run_id }) => client_run_id === clientRunId)
    if (run) return run.id
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS)
    })
  }
  return null
}

/** The form as it was left, with the run that was chosen. */
interface OptimizerDraft {
  form: OptimizerForm
  runId: string
}

const NAME = 'optimizer'

const keepOptimizerDraft = (userId: number, draft: OptimizerDraft) => keepDraft(NAME, userId, draft)
const dropOptimizerDraft = (userId: number) => dropDraft(NAME, userId)

/** Null where there is none, where another version wrote it, or where the address asks for another run. */
function readOptimizerDraft(userId: number, askedRunId: string): OptimizerDraft | null {
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

/** The form as it was when this run was started. What a run does not say of its features, the catalogue does. */
export function fromRun(run: OptimizationRunItem, catalogue: readonly Feature[]): OptimizerForm {
  const { optimization_config: config, ga_parameters: ga, ml_config: ml, trading_signals: signals } = run
  const [first] = config.targets
  const { ticker: _, ...params } = first?.params ?? {}
  return {
    targetTickers: tickersText(targetAssets(run)),
    targetListId: String(config.target_list_ids[0] ?? ''),
    target: { id: run.target_id, params },
    relatedTickers: tickersText(run.related_assets),
    relatedListId: String(config.feature_list_ids[0] ?? ''),
    featureTypes: featureTypesOf(run, catalogue),
    seeds: config.seed_features.map(({ id, name, params: own }) => ({ id, name: name ?? String(id), params: own })),
    startDate: run.date_range.start_date,
    endDate: run.date_range.end_date,
    dataGranularity: config.data_granularity,
    dataProvider: config.data_provider,
    allowMixedPrices: config.allow_mixed_prices,
    endedTicker: config.ended_ticker,
    replacementTicker: config.replacement_ticker ?? '',
    delistingReturnPct: config.delisting_return_pct,
    populationSize: ga.population_size,
    generations: ga.generations,
    mutationRate: ga.mutation_rate,
    maxFeatures: ga.max_features,
    evaluationMetric: ga.evaluation_metric,
    holdOutPct: config.hold_out_pct,
    seed: config.seed,
    nestedWalkForward: config.nested_walk_forward,
    nestedWindows: config.nested_windows,
    mlModel: ml.model,
    trainSize: ml.train_size,
    testSize: ml.test_size,
    signal1Allocations: toRows(signals.signal1_allocations),
    signal0Allocations: toRows(signals.signal0_allocations),
    nEstimators: config.n_estimators,
    minSamplesLeaf: config.min_samples_leaf,
    minSamplesSplit: config.min_samples_split,
    maxFeaturesRf: config.max_features_rf,
    boostingRounds: config.boosting_rounds ?? usualBoosting.boostingRounds,
    maxDepth: config.max_depth ?? usualBoosting.maxDepth,
    learningRate: config.learning_rate ?? usualBoosting.learningRate,
    minLeafShare: config.min_leaf_share ?? usualBoosting.minLeafShare,
    findRounds: config.find_rounds ?? false,
    walkForwardEnabled: config.walk_forward_enabled,
    wfTrainWindowPct: config.wf_train_window_pct,
    wfTestWindowPct: config.wf_test_window_pct,
    wfStepSizePct: config.wf_step_size_pct ?? '',
    wfFitnessMode: config.wf_fitness_mode,
    variancePenalty: config.variance_penalty,
    varianceExponent: config.variance_exponent,
    earlyStopping: config.early_stopping,
    esPatience: config.es_patience,
    esMinImprovement: config.es_min_improvement,
  }
}

function targetAssets({ target_asset, optimization_config: { targets } }: OptimizationRunItem): string[] {
  const assets = targets.map((target) => target.target_asset)
  return assets.length > 0 ? [...new Set(assets)] : [target_asset]
}

function featureTypesOf(run: OptimizationRunItem, catalogue: readonly Feature[]): FeatureType[] {
  const { feature_configs, window_sizes } = run.optimization_config
  return run.feature_types.map((id) => {
    const feature = findEntry(catalogue, id)
    const usual = feature ? featureTypeOf(feature, window_sizes) : { id, name: `Feature ${id}`, ranges: {} }
    const said = Object.entries(feature_configs[String(id)] ?? {}).filter(([name]) => !isTickerParameter(name))
    const own = said.map(([name, values]) => [name, rangeText(values)] as const)
    return { ...usual, ranges: { ...usual.ranges, ...Object.fromEntries(own) } }
  })
}
