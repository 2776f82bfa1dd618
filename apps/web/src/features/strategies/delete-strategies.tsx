import type { StrategyItem } from '@tradewright/contract/strategies'
import { ConfirmModal } from '../../ui/layout/confirm-modal.tsx'
import { useDeleteStrategies } from './queries.ts'

interface DeleteStrategiesProps {
  /** None: nothing is asked. */
  strategies: readonly StrategyItem[]
  onClose: () => void
  onDeleted: (id: number) => void
}

/** Asks, for one or for all that are selected; only a yes deletes. */
export function DeleteStrategies({ strategies, onClose, onDeleted }: DeleteStrategiesProps) {
  const deletion = useDeleteStrategies({ onDeleted })
  const [first] = strategies
  const isOne = strategies.length === 1
  return (
    <ConfirmModal
      opened={first !== undefined}
      title={isOne && first ? `Delete strategy “${first.name}”?` : `Delete ${strategies.length} strategies?`}
      text={
        isOne
          ? 'Are you sure you want to delete this strategy? Its saved backtests go with it. A few seconds later this cannot be undone.'
          : 'Their saved backtests go with them. A few seconds later this cannot be undone.'
      }
      confirmLabel={isOne ? 'Delete strategy' : `Delete ${strategies.length} strategies`}
      busy={deletion.isPending}
      onCancel={onClose}
      onConfirm={() => deletion.mutate(strategies, { onSettled: onClose })}
    />
  )
}
