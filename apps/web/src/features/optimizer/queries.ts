import type { OptimizationRun } from '@tradewright/contract/optimization-run'
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
import { currentGeneration, isInProgress, withKnownHistory } from './run-status.ts'

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
