import {
  BacktestAnswer,
  type BacktestReference,
  checkBacktest,
  compareBacktests,
  deleteBacktest,
  getBacktest,
  listBacktests,
  listRecentRuns,
  renameBacktest,
  runBacktest,
  saveBacktest,
  SavedBacktest,
} from '@tradewright/contract/backtests'
import { deleteStrategy, getStrategy, listStrategies, listStrategyResults } from '@tradewright/contract/strategies'
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { z } from 'zod'
import { CallError } from '../../lib/call-error.ts'
import { fetchFresh, type AnswerOf, call, callForBytes, callForText, parsed } from '../../lib/http.ts'
import { withChosenFormats } from '../../lib/sentences.ts'
import type { Reading } from './answer/read-answer.ts'
import { readAnswer } from './answer/read-in-background.ts'
import type { StudioAnswer, StudioBacktest } from './answer/studio-result.ts'
import type { BacktestForm } from './form/form.ts'
import { toRequest } from './form/form-request.ts'
import { plannedRuns } from './portfolios/portfolio-table.ts'
import { InvalidJsonError } from './messages.ts'

const strategiesQuery = queryOptions({
  queryKey: ['strategies'],
  queryFn: async ({ signal }) => (await call(listStrategies, { signal })).strategies,
})

export function useStrategies() {
  return useQuery(strategiesQuery)
}

/** Another tab may have deleted it: asking for it then would be a failed call, which the browser's console shows. */
async function isThere(queries: QueryClient, strategyId: string): Promise<boolean> {
  const strategies = await fetchFresh(queries, strategiesQuery)
  return strategies.some(({ id }) => String(id) === strategyId)
}

export function useStrategyResults(strategyId: string) {
  const queries = useQueryClient()
  return useQuery({
    queryKey: ['strategies', strategyId, 'results'],
    queryFn: async ({ signal }) => {
      if (!(await isThere(queries, strategyId))) return []
      return (await call(listStrategyResults, { params: { id: strategyId }, signal })).backtests
    },
    enabled: strategyId !== '',
  })
}

const backtestsQuery = queryOptions({
  queryKey: ['backtests'],
  queryFn: async ({ signal }) => (await call(listBacktests, { signal })).backtests,
})

export function useAllBacktests() {
  return useQuery(backtestsQuery)
}

const recentQuery = queryOptions({
  queryKey: ['recent runs'],
  queryFn: async ({ signal }) => (await call(listRecentRuns, { signal })).runs,
})

export function useRecentRuns() {
  return useQuery(recentQuery)
}

export async function loadStrategy(queries: QueryClient, id: string): Promise<AnswerOf<typeof getStrategy>> {
  if (await isThere(queries, id)) return call(getStrategy, { params: { id } })
  throw new CallError({ status: 404, code: 'strategy.missing', serverMessage: 'This strategy was deleted.' })
}

/** An answer with a result, and the file of that result. */
export interface Loaded<Answer> {
  answer: Answer
  file: Blob
}

/** The server alone knows: a result that another person or an agent made may stand in no list of this screen. */
export async function loadBacktest(id: string): Promise<Loaded<StudioBacktest>> {
  const bytes = await callForBytes(getBacktest, { params: { id } })
  return answerOf(await readAnswer('saved', bytes), SavedBacktest)
}

/** Results side by side on their common period. Saved ones never change, and neither does a finished run. */
export function useComparison(backtests: readonly BacktestReference[]) {
  return useQuery({
    queryKey: ['backtest comparison', backtests],
    queryFn: ({ signal }) => call(compareBacktests, { body: { backtests: [...backtests] }, signal }),
    enabled: backtests.length > 1,
    staleTime: 'static',
    retry: false,
    structuralSharing: false,
    placeholderData: keepPreviousData,
  })
}

export function useDeleteStrategy() {
  const refresh = useRefreshSaved()
  return useMutation({
    mutationFn: (id: string) => call(deleteStrategy, { params: { id } }),
    onSuccess: (_, id) => refresh({ goneStrategyId: id }),
  })
}

export function useDeleteBacktest() {
  const refresh = useRefreshSaved()
  return useMutation({
    mutationFn: (id: string) => call(deleteBacktest, { params: { id } }),
    onSuccess: () => refresh(),
  })
}

export function useSaveBacktest() {
  const refresh = useRefreshSaved()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: number; name: string; save_strategy: boolean; save_backtest: boolean }) =>
      call(saveBacktest, { params: { id }, body }),
    onSuccess: () => refresh(),
  })
}

export function useRenameBacktest() {
  const refresh = useRefreshSaved()
  return useMutation({
    mutationFn: ({ id, name }: { id: number; name: string }) =>
      call(renameBacktest, { params: { id }, body: { name } }),
    onSuccess: () => refresh(),
  })
}

/** After anything was saved or deleted: the lists. A saved backtest never changes; a deleted strategy has no results. */
export function useRefreshSaved() {
  const queries = useQueryClient()
  return ({ goneStrategyId }: { goneStrategyId?: string } = {}) =>
    Promise.all([
      queries.invalidateQueries({
        queryKey: ['strategies'],
        predicate: ({ queryKey }) => queryKey[1] !== goneStrategyId || goneStrategyId === undefined,
      }),
      queries.invalidateQueries({ queryKey: ['backtests'], exact: true }),
      queries.invalidateQueries({ queryKey: ['recent runs'] }),
      queries.invalidateQueries({ queryKey: ['strategy performance'] }),
    ])
}

/** Read as text first, so that an answer which is no JSON can be shown. */
export async function postBacktest(form: FormData, signal: AbortSignal): Promise<Loaded<StudioAnswer>> {
  const reading = await readAnswer('run', await callForBytes(runBacktest, { body: form, signal }))
  if (reading.is === 'no JSON') throw new InvalidJsonError(reading.text)
  return answerOf(reading, BacktestAnswer)
}

/** The file keeps the sentences as they came. */
function answerOf<Answer>(reading: Reading<Answer>, schema: z.ZodType): Loaded<Answer> {
  if (reading.is === 'answer') return { answer: withChosenFormats(schema, reading.answer), file: reading.file }
  const cause = new Error(reading.is === 'no JSON' ? `no JSON: ${reading.text}` : reading.why)
  throw new CallError({ status: 200, code: 'answer.shape', serverMessage: null, cause })
}

type FormCheck = AnswerOf<typeof checkBacktest>

/** What is odd or wrong about the form, before it is run. Of several portfolios, each warning under its portfolio's name. */
export async function checkForm(form: BacktestForm, signal: AbortSignal): Promise<FormCheck | null> {
  const planned = plannedRuns(form).filter(({ isBenchmark }) => !isBenchmark)
  if (planned.length === 0) return checkOne(form, signal)
  const all = await Promise.all(
    planned.map(async (one) => ({ title: one.title, check: await checkOne(one.form, signal) })),
  )
  const warnings = all.flatMap(({ title, check }) => (check?.warnings ?? []).map((warning) => `${title}: ${warning}`))
  return { problems: all.flatMap(({ check }) => check?.problems ?? []), warnings }
}

async function checkOne(form: BacktestForm, signal: AbortSignal): Promise<FormCheck | null> {
  try {
    const text = await callForText(checkBacktest, toRequest(form, crypto.randomUUID()), signal)
    return withChosenFormats(checkBacktest.answer, checkBacktest.answer.parse(parsed(text)))
  } catch (error) {
    // What would be refused is said when the user runs it, not while they type.
    if (error instanceof CallError) return null
    throw error
  }
}
