import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useOfferUndo } from '../../../deletions/use-offer-undo.ts'

const POLL_INTERVAL_MS = 700

interface RunCalls<Item, Run extends { id: number; status: string }, Body> {
  /** The key in the query cache; that of one run has its id behind it. */
  readonly key: string
  list(signal: AbortSignal): Promise<Item[]>
  get(id: string, signal: AbortSignal): Promise<Run>
  /** Gives the id of what was started. */
  start(body: Body): Promise<number>
  cancel(id: string): Promise<unknown>
  remove(id: string): Promise<unknown>
  /** What a deletion that can be undone is a deletion of. */
  readonly kind: 'study' | 'construction'
}

/** What parameter studies and portfolio constructions have in common: each runs on the server, and its result is kept. */
export function runQueries<Item, Run extends { id: number; status: string }, Body>(calls: RunCalls<Item, Run, Body>) {
  const listKey = [calls.key]
  const runKey = (id: number | null) => [calls.key, id]

  function useRefresh() {
    const queries = useQueryClient()
    return (id?: number) =>
      Promise.all([
        queries.invalidateQueries({ queryKey: listKey, exact: true }),
        ...(id === undefined ? [] : [queries.invalidateQueries({ queryKey: runKey(id) })]),
      ])
  }

  return {
    useRuns: () => useQuery({ queryKey: listKey, queryFn: ({ signal }) => calls.list(signal) }),

    /** Asked again while it runs. One that is complete never changes. */
    useRun: (id: number | null) =>
      useQuery({
        queryKey: runKey(id),
        queryFn: ({ signal }) => calls.get(String(id), signal),
        enabled: id !== null,
        retry: false,
        structuralSharing: false,
        refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_INTERVAL_MS : false),
      }),

    useStart(onStarted: (id: number) => void) {
      const refresh = useRefresh()
      return useMutation({
        mutationFn: (body: Body) => calls.start(body),
        onSuccess: (id) => {
          void refresh()
          onStarted(id)
        },
      })
    },

    useCancel() {
      const refresh = useRefresh()
      return useMutation({
        mutationFn: (id: number) => calls.cancel(String(id)),
        onSuccess: (_, id) => refresh(id),
      })
    },

    useDelete(onDeleted: () => void) {
      const refresh = useRefresh()
      const offerUndo = useOfferUndo()
      return useMutation({
        mutationFn: ({ id }: Run) => calls.remove(String(id)),
        onSuccess: (_, { id, status }) => {
          onDeleted()
          if (status !== 'running') offerUndo(`the ${calls.kind}`, [{ kind: calls.kind, id }])
          return refresh()
        },
      })
    },
  }
}
