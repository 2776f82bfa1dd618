import type { OptimizationRun, GenerationEntry, OptimizationRunItem } from '@tradewright/contract/optimization-run'
import {
  cancelOptimizationRun,
  deleteOptimizationRun,
  deleteOptimizationRuns,
  getGeneration,
  getOptimizationRun,
  listOptimizationRuns,
  pauseOptimizationRun,
  rerunOptimization,
  resumeOptimizationRun,
} from '@tradewright/contract/optimizer'
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { formatDate } from '../../lib/format-time.ts'

const POLL_MS = 2_000
const LIST_POLL_MS = 5_000

export const RUNS_KEY = ['optimization runs'] as const
/** The beginning of every single run's key. */
export const RUN_KEY = ['optimization run'] as const
const runKey = (id: string) => [...RUN_KEY, id] as const

export const listRuns = async (signal?: AbortSignal) =>
  (await call(listOptimizationRuns, signal ? { signal } : {})).optimization_runs

/** Newest first. Asked again and again while one of them is in progress. */
export function useRuns() {
  return useQuery({
    queryKey: RUNS_KEY,
    queryFn: ({ signal }) => listRuns(signal),
    refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? LIST_POLL_MS : false),
  })
}

/** While a run is in progress only the generations that are not known yet are asked for. */
export function runOptions(queries: QueryClient, id: string) {
  return queryOptions({
    queryKey: runKey(id),
    queryFn: async ({ signal }) => {
      const known = queries.getQueryData<OptimizationRun>(runKey(id))
      const after = known && isInProgress(known) ? currentGeneration(known.generation_history) : 0
      const query = after > 0 ? { after_generation: String(after) } : {}
      const news = await call(getOptimizationRun, { params: { id }, query, signal })
      // The list is not notified of its end.
      if (known && isInProgress(known) && !isInProgress(news)) void queries.invalidateQueries({ queryKey: RUNS_KEY })
      return withKnownHistory(known, news, after)
    },
    refetchInterval: ({ state }) => (state.data && isInProgress(state.data) ? POLL_MS : false),
  })
}

export function useRun(id: string) {
  return useQuery({ ...runOptions(useQueryClient(), id), enabled: id !== '' })
}

/** All individuals of one generation, where the run itself has only the best of them. */
export function useGeneration(id: number, generation: number, isWanted: boolean) {
  return useQuery({
    queryKey: [...runKey(String(id)), 'generation', generation],
    queryFn: ({ signal }) => call(getGeneration, { params: { id, generation }, signal }),
    enabled: isWanted,
  })
}

const CONTROLS = { pause: pauseOptimizationRun, resume: resumeOptimizationRun, cancel: cancelOptimizationRun }
export type Control = keyof typeof CONTROLS

/** The answer says how the run stands now, so the screen need not wait for the next poll. */
export function useControlRun(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (control: Control) => call(CONTROLS[control], { params: { id } }),
    onSuccess: async ({ run }) => {
      queries.setQueryData<OptimizationRun>(runKey(id), (known) => (known ? { ...known, ...run } : known))
      await queries.invalidateQueries({ queryKey: RUNS_KEY })
    },
  })
}

export function useRerun() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(rerunOptimization, { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: RUNS_KEY }),
  })
}

export function useDeleteRun() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(deleteOptimizationRun, { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: RUNS_KEY }),
  })
}

export function useDeleteAllRuns() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(deleteOptimizationRuns),
    onSuccess: () => queries.invalidateQueries({ queryKey: RUNS_KEY }),
  })
}

type Standing = Pick<OptimizationRunItem, 'status' | 'paused'>

export const isInProgress = ({ status }: Pick<Standing, 'status'>): boolean =>
  status === 'running' || status === 'cancel_requested'

export function statusWord({ status, paused }: Standing): string {
  if (status === 'cancel_requested') return 'cancelling'
  return status === 'running' && paused ? 'paused' : status
}

/** As the dropdown has it: `#12 · BTC-USD · 14 Nov 2026 · completed`. */
export const runLabel = (run: OptimizationRunItem): string =>
  `#${run.id} · ${run.target_asset} · ${formatDate(run.created_at)} · ${statusWord(run)}`

/** The generation that an unfinished run has come to, taken from its history. */
export const currentGeneration = (history: readonly GenerationEntry[]): number => history.at(-1)?.generation ?? 0

/** Generations after those that are known already. A run that began anew brings its history whole. */
export function withKnownHistory(
  known: OptimizationRun | undefined,
  news: OptimizationRun,
  after: number,
): OptimizationRun {
  const kept = known?.generation_history.filter(({ generation }) => generation <= after) ?? []
  const later = news.generation_history.filter(({ generation }) => generation > after)
  return { ...news, generation_history: [...kept, ...later] }
}

/** `about 2 min 5 s`. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return 'N/A'
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole} s`
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${rest} s`
}
