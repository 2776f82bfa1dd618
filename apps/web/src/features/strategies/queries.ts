import {
  deleteStrategy,
  getStrategyPerformance,
  listStrategies,
  type StrategyItem,
} from '@tradewright/contract/strategies'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useOfferUndo } from '../../deletions/use-offer-undo.ts'
import { call } from '../../lib/http.ts'
import { showToast } from '../../ui/feedback/toasts/toasts.tsx'

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
  const offerUndo = useOfferUndo()
  return useMutation({
    mutationFn: async (strategies: readonly StrategyItem[]) => {
      const gone: StrategyItem[] = []
      for (const strategy of strategies) if (await deleteOne(strategy.id, onDeleted)) gone.push(strategy)
      return gone
    },
    onSuccess: (gone) => {
      if (gone.length === 0) return
      const what = gone.length === 1 ? `strategy “${gone[0]?.name}”` : `${gone.length} strategies`
      offerUndo(
        what,
        gone.map(({ id }) => ({ kind: 'strategy', id })),
      )
    },
    onSettled: () =>
      Promise.all(
        [['strategies'], ['strategy performance'], ['backtests']].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  })
}

async function deleteOne(id: number, onDeleted: (id: number) => void): Promise<boolean> {
  try {
    await call(deleteStrategy, { params: { id: String(id) } })
    onDeleted(id)
    return true
  } catch (error) {
    // oxlint-disable-next-line no-console -- "logged only", says the specification; the toast is ours
    console.error('Failed to delete strategy', error)
    showToast({
      kind: 'error',
      text: 'Failed to delete strategy',
      detail: error instanceof Error ? error.message : null,
    })
    return false
  }
}
