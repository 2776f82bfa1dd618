import { IconTrash } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useOfferUndo } from '../../deletions/use-offer-undo.ts'
import { ConfirmModal } from '../../ui/layout/confirm-modal.tsx'
import { SelectField } from '../../ui/form/fields.tsx'
import { IconButton } from '../../ui/form/buttons.tsx'
import { FAILED, failedTo, type StudioMessage } from './messages.ts'
import { useDeleteBacktest, useDeleteStrategy, useStrategies, useStrategyResults } from './queries.ts'
import classes from './saved-selects.module.css'
import type { SavedChoice } from './use-saved-choice.ts'

interface SavedSelectsProps {
  choice: SavedChoice
  setChoice: (choice: SavedChoice) => void
  chooseStrategy: (id: string) => void
  chooseBacktest: (strategyId: string, id: string) => void
  tell: (message: StudioMessage) => void
  /** More to choose from, after the two. */
  children?: ReactNode
}

export function SavedSelects({ choice, setChoice, chooseStrategy, chooseBacktest, tell, children }: SavedSelectsProps) {
  const saved = useStrategies()
  const strategies = saved.data ?? []
  const results = useStrategyResults(choice.strategyId)
  const backtests = results.data ?? []
  const strategy = strategies.find(({ id }) => String(id) === choice.strategyId)
  const backtest = backtests.find(({ id }) => String(id) === choice.backtestId)
  const noneChosen = strategies.length > 0 ? 'Choose a strategy' : undefined
  const strategyDeletion = useDeleteStrategy()
  const backtestDeletion = useDeleteBacktest()
  const offerUndo = useOfferUndo()
  return (
    <div className={classes.selects}>
      <Saved
        label="Saved strategy"
        thing="strategy"
        instead={insteadOf(saved, 'load strategies')}
        loss="Its saved backtests go with it. A few seconds later this cannot be undone."
        options={strategies}
        value={strategy ? choice.strategyId : ''}
        onChoose={chooseStrategy}
        onDelete={async (id) => {
          try {
            await strategyDeletion.mutateAsync(id)
            setChoice({ strategyId: '', backtestId: '' })
            offerUndo(`strategy “${strategy?.name ?? ''}”`, [{ kind: 'strategy', id }])
          } catch (error) {
            tell(failedTo('delete strategy', error))
          }
        }}
      />
      <Saved
        label="Saved backtest"
        thing="backtest"
        instead={choice.strategyId === '' ? noneChosen : insteadOf(results, 'load strategy results')}
        loss="Its result goes with it. A few seconds later this cannot be undone."
        options={backtests}
        value={backtest ? choice.backtestId : ''}
        onChoose={(id) => chooseBacktest(choice.strategyId, id)}
        onDelete={async (id) => {
          try {
            await backtestDeletion.mutateAsync(id)
            setChoice({ ...choice, backtestId: '' })
            offerUndo(`backtest “${backtest?.name ?? ''}”`, [{ kind: 'backtest', id }])
          } catch (error) {
            tell(failedTo('delete backtest', error))
          }
        }}
      />
      {children}
    </div>
  )
}

/** What stands in place of a list that is on its way, or could not be loaded. */
function insteadOf(
  query: Pick<UseQueryResult, 'data' | 'isError'>,
  what: 'load strategies' | 'load strategy results',
): string | undefined {
  if (query.data !== undefined) return undefined
  return query.isError ? FAILED[what] : 'Loading...'
}

interface SavedProps {
  label: string
  thing: 'strategy' | 'backtest'
  /** Stands for choices that are not known, which does not mean that there are none. */
  instead: string | undefined
  /** Names what a deletion removes besides. */
  loss: string
  options: readonly { id: number; name: string }[]
  value: string
  onChoose: (id: string) => void
  onDelete: (id: string) => Promise<void>
}

function Saved({ label, thing, instead, loss, options, value, onChoose, onDelete }: SavedProps) {
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const name = options.find(({ id }) => String(id) === value)?.name ?? ''
  return (
    <div className={classes.saved}>
      <SelectField
        label={label}
        value={value}
        disabled={options.length === 0}
        options={[
          { value: '', label: instead ?? (options.length === 0 ? 'None saved' : 'None') },
          ...options.map((option) => ({ value: String(option.id), label: option.name })),
        ]}
        onChange={onChoose}
      />
      <IconButton icon={IconTrash} label={`Delete ${thing}`} disabled={value === ''} onClick={() => setAsking(true)} />
      <ConfirmModal
        opened={isAsking}
        title={`Delete ${thing} “${name}”?`}
        text={`Are you sure you want to delete this ${thing}? ${loss}`}
        confirmLabel={`Delete ${thing}`}
        busy={isBusy}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setBusy(true)
          void onDelete(value).finally(() => {
            setBusy(false)
            setAsking(false)
          })
        }}
      />
    </div>
  )
}
