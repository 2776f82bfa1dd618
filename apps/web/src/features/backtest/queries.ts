import {
  BacktestAnswer,
  checkBacktest,
  deleteBacktest,
  getBacktest,
  listBacktests,
  runBacktest,
  type SavedBacktest,
} from '@tradewright/contract/backtests'
import { deleteStrategy, getStrategy, listStrategies, listStrategyResults } from '@tradewright/contract/strategies'
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { CallError } from '../../lib/call-error.ts'
import { call, callForText, parsed } from '../../lib/http.ts'
import type { BacktestForm } from './form.ts'
import { toRequest } from './form-request.ts'
import { InvalidJsonError } from './messages.ts'

export function useStrategies() {
  return useQuery({
    queryKey: ['strategies'],
    queryFn: async ({ signal }) => (await call(listStrategies, { signal })).strategies,
  })
}

export function useStrategyResults(strategyId: string) {
  return useQuery({
    queryKey: ['strategies', strategyId, 'results'],
    queryFn: async ({ signal }) => (await call(listStrategyResults, { params: { id: strategyId }, signal })).backtests,
    enabled: strategyId !== '',
  })
}

export function useAllBacktests() {
  return useQuery({
    queryKey: ['backtests'],
    queryFn: async ({ signal }) => (await call(listBacktests, { signal })).backtests,
  })
}

export const loadStrategy = (id: string) => call(getStrategy, { params: { id } })
export const loadBacktest = (id: string) => call(getBacktest, { params: { id } })

/** Those of the saved backtests that have arrived, in the order of `ids`. */
export function useBacktests(ids: readonly string[]): readonly SavedBacktest[] {
  return useQueries({
    queries: ids.map((id) => ({ queryKey: ['backtests', id], queryFn: () => loadBacktest(id) })),
    combine: arrived,
  })
}

const arrived = (answers: { data: SavedBacktest | undefined }[]): SavedBacktest[] =>
  answers.flatMap(({ data }) => data ?? [])

export function useDeleteStrategy() {
  const refresh = useRefreshSaved()
  return useMutation({ mutationFn: (id: string) => call(deleteStrategy, { params: { id } }), onSuccess: refresh })
}

export function useDeleteBacktest() {
  const refresh = useRefreshSaved()
  return useMutation({ mutationFn: (id: string) => call(deleteBacktest, { params: { id } }), onSuccess: refresh })
}

/** After anything was saved or deleted. */
export function useRefreshSaved() {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [['strategies'], ['backtests'], ['strategy performance']].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    )
}

/** Read as text first, so that an answer which is no JSON can be shown. */
export async function postBacktest(form: FormData, signal: AbortSignal): Promise<BacktestAnswer> {
  const text = await callForText(runBacktest, form, signal)
  const answer = parsed(text)
  if (answer === undefined) throw new InvalidJsonError(text)
  const checked = BacktestAnswer.safeParse(answer)
  if (checked.success) return checked.data
  throw new CallError({ status: 200, code: 'answer.shape', serverMessage: null, cause: checked.error })
}

export async function checkWarnings(form: BacktestForm, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const text = await callForText(checkBacktest, toRequest(form, crypto.randomUUID()), signal)
    return checkBacktest.answer.parse(parsed(text)).warnings
  } catch (error) {
    // What would be refused is said when the user runs it, not while he types.
    if (error instanceof CallError) return []
    throw error
  }
}
