import { getSecTickers } from '@tradewright/contract/collected-data'
import {
  cancelCollectionRun,
  type CollectionJob,
  type CollectionJobBody,
  createCollectionJob,
  deleteCollectionJob,
  runCollectionJob,
  updateCollectionJob,
} from '@tradewright/contract/data-collector'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useOfferUndo } from '../../../deletions/use-offer-undo.ts'
import { call } from '../../../lib/http.ts'
import { failed, runFailed, runSucceeded, succeeded } from '../messages.ts'
import { KEYS, refreshData, refreshRuns } from '../queries.ts'
import type { Tell } from '../use-notice.ts'

const RUN_REFRESH_MS = 500

interface SavedJob {
  /** Undefined: a new one. */
  id: number | undefined
  body: CollectionJobBody
}

export function useSaveJob({ tell, onSaved, onFailed }: { tell: Tell; onSaved: () => void; onFailed: Tell }) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: SavedJob) =>
      id === undefined ? call(createCollectionJob, { body }) : call(updateCollectionJob, { params: { id }, body }),
    onSuccess: (_, { id }) => {
      tell(succeeded(id === undefined ? 'createJob' : 'updateJob'))
      onSaved()
      return queries.invalidateQueries({ queryKey: KEYS.jobs })
    },
    onError: (error, { id }) => onFailed(failed(id === undefined ? 'createJob' : 'updateJob', error)),
  })
}

export function useDeleteJob(tell: Tell) {
  const queries = useQueryClient()
  const offerUndo = useOfferUndo()
  return useMutation({
    mutationFn: ({ id }: CollectionJob) => call(deleteCollectionJob, { params: { id } }),
    onSuccess: (_, { id, name }) => {
      tell(succeeded('deleteJob'))
      offerUndo(`collection job “${name}”`, [{ kind: 'collection-job', id }])
    },
    onError: (error) => tell(failed('deleteJob', error)),
    onSettled: () => refreshRuns(queries),
  })
}

/** The answer comes when the run has ended; the lists show before that that it is under way. */
export function useRunJob(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(runCollectionJob, { params: { id } }),
    onMutate: () => {
      setTimeout(() => void refreshRuns(queries), RUN_REFRESH_MS)
    },
    onSuccess: (answer) => tell(runSucceeded(answer)),
    onError: (error) => tell(runFailed(error)),
    onSettled: () => Promise.all([refreshRuns(queries), refreshData(queries)]),
  })
}

export function useCancelRun(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(cancelCollectionRun, { params: { id } }),
    onError: (error) => tell(failed('cancelRun', error)),
    onSettled: () => refreshRuns(queries),
  })
}

export function useSecTickers({ onTickers, onError }: { onTickers: (tickers: string[]) => void; onError: Tell }) {
  return useMutation({
    mutationFn: (limit: number) => call(getSecTickers, { query: { limit } }),
    onSuccess: ({ tickers }) => onTickers(tickers),
    onError: (error) => onError(failed('sec', error)),
  })
}
