import type { JobEvent } from '@tradewright/contract/events'
import { cancelJob } from '@tradewright/contract/jobs'
import { computeRobustness, getRobustness, ROBUSTNESS_JOB } from '@tradewright/contract/robustness'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { watchJobs } from '../../../../lib/events.ts'
import { call } from '../../../../lib/http.ts'

const isUnfinished = (job: JobEvent | null): job is JobEvent => job?.state === 'queued' || job?.state === 'running'

/** The board of one result: what is kept, its computation, progress and cancelling. */
export function useRobustness(id: number) {
  const queries = useQueryClient()
  const params = { id: String(id) }
  const queryKey = ['robustness', id]
  const kept = useQuery({ queryKey, queryFn: ({ signal }) => call(getRobustness, { params, signal }) })
  const [seen, setSeen] = useState<JobEvent | null>(null)
  const job = seen ?? kept.data?.job ?? null
  const runs = isUnfinished(job)
  useEffect(() => {
    if (!runs) return undefined
    const again = () => void queries.invalidateQueries({ queryKey: ['robustness', id] })
    return watchJobs({
      onJob: (event) => {
        if (event.kind !== ROBUSTNESS_JOB || event.subject !== String(id)) return
        setSeen(event)
        if (!isUnfinished(event)) again()
      },
      onResync: () => {
        setSeen(null)
        again()
      },
    })
  }, [queries, id, runs])
  const start = useMutation({
    mutationFn: () => call(computeRobustness, { params, body: {} }),
    onSuccess: setSeen,
  })
  const cancel = useMutation({
    mutationFn: (jobId: string) => call(cancelJob, { params: { id: jobId } }),
  })
  return {
    isLoading: kept.isPending,
    error: kept.error ?? start.error ?? cancel.error,
    board: kept.data?.board ?? null,
    job: runs ? job : null,
    failure: job?.state === 'failed' ? job.error : null,
    wasCancelled: job?.state === 'cancelled',
    isStarting: start.isPending,
    isCancelling: cancel.isPending || (runs && cancel.isSuccess && cancel.variables === job.job_id),
    start: () => start.mutate(),
    cancel: () => job && cancel.mutate(job.job_id),
  }
}
