import { runOptimization } from '@tradewright/contract/optimizer'
import type { OptimizationRequest } from '@tradewright/contract/optimizer-form'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../lib/http.ts'
import { CALL_TIMEOUT_MS, keepAlive } from './keep-alive.ts'
import { listRuns, RUN_KEY, RUNS_KEY } from './queries.ts'

const LOOK_MS = 400

interface RunCall {
  /** The run has a row of its own: from here on the screen watches that. */
  onFound: (runId: string) => void
  /** The run was refused, or failed before anything was known of it. */
  onFailure: (error: unknown) => void
}

/** Starts a run by a call that stays open until it ends. Whatever becomes of the call, the run itself goes on. */
export function useRunCall({ onFound, onFailure }: RunCall) {
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
