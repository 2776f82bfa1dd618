import { deleteStrategy, getStrategyPerformance, listStrategies } from '@tradewright/contract/strategies'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { showToast } from '../../ui/feedback/toast-store.ts'

export function useStrategies() {
  return useQuery({
    queryKey: ['strategies'],
    queryFn: async ({ signal }) => (await call(listStrategies, { signal })).strategies,
  })
}

/** A failure is only logged: the list stands without figures. */
export function useStrategyPerformance() {
  return useQuery({
    queryKey: ['strategy performance'],
    queryFn: async ({ signal }) => {
      try {
        return (await call(getStrategyPerformance, { signal })).all
      } catch (error) {
        if (signal.aborted) throw error
        // oxlint-disable-next-line no-console -- "logged only", says the specification
        console.error('Failed to load strategy performance', error)
        return []
      }
    },
  })
}

interface Deletion {
  onDeleted: (id: number) => void
}

/** One after the other; those that fail stay in the list, logged and told in passing. */
export function useDeleteStrategies({ onDeleted }: Deletion) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (ids: readonly number[]) => {
      for (const id of ids) await deleteOne(id, onDeleted)
    },
    onSettled: () =>
      Promise.all(
        [['strategies'], ['strategy performance'], ['backtests']].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  })
}

async function deleteOne(id: number, onDeleted: (id: number) => void): Promise<void> {
  try {
    await call(deleteStrategy, { params: { id: String(id) } })
    onDeleted(id)
  } catch (error) {
    // oxlint-disable-next-line no-console -- "logged only", says the specification; the toast is ours
    console.error('Failed to delete strategy', error)
    showToast({
      kind: 'error',
      text: 'Failed to delete strategy',
      detail: error instanceof Error ? error.message : null,
    })
  }
}
