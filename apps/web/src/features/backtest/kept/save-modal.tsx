import { Button } from '@mantine/core'
import { useState } from 'react'
import { showToast } from '../../../ui/feedback/toasts/toasts.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { CheckField, TextField } from '../../../ui/form/fields.tsx'
import { CancelButton, ContentModal } from '../../../ui/layout/content-modal.tsx'
import type { StudioResult } from '../answer/studio-result.ts'
import { FAILED } from '../messages.ts'
import { useSaveBacktest, useStrategies } from '../queries.ts'
import classes from './kept.module.css'
import { suggestedName } from './names.ts'
import type { KeptProps } from './kept-run.ts'

interface SaveModalProps extends KeptProps {
  opened: boolean
  result: Pick<StudioResult, 'strategy_name' | 'strategy_type'>
  onClose: () => void
}

/** Saves a result after it was seen. Enter is enough: the name is filled in. */
export function SaveModal({ opened, ...form }: SaveModalProps) {
  return (
    <ContentModal opened={opened} size={440} title="Save result" onClose={form.onClose}>
      <SaveForm {...form} />
    </ContentModal>
  )
}

function SaveForm({ kept, result, onKept, onClose }: Omit<SaveModalProps, 'opened'>) {
  const [name, setName] = useState(() => suggestedName(result.strategy_name, kept.name))
  const [savesStrategy, setSavesStrategy] = useState(kept.strategyId === null)
  const [savesBacktest, setSavesBacktest] = useState(!kept.isSaved)
  const strategies = useStrategies().data ?? []
  const saving = useSaveBacktest()
  const isTaken = strategies.some(
    (one) => one.name === name.trim() && one.strategy_type === result.strategy_type && one.id !== kept.strategyId,
  )
  const submit = () =>
    saving.mutate(
      { id: kept.id, name, save_strategy: savesStrategy, save_backtest: savesBacktest || kept.isSaved },
      {
        onSuccess: (saved) => {
          onKept(
            { id: saved.id, name: saved.name, isSaved: saved.saved, strategyId: saved.strategy_id },
            saved.strategy_name,
          )
          onClose()
          showToast({ kind: 'success', text: `“${saved.strategy_name}” was saved.` })
        },
      },
    )
  return (
    <form
      className={classes.form}
      aria-label="Save result"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {saving.isError && <Banner kind="error" text={FAILED['save result']} detail={saving.error.message} />}
      <TextField label="Name" required isFocused value={name} onChange={setName} />
      <CheckField label="Save strategy" checked={savesStrategy} onChange={setSavesStrategy} />
      <CheckField
        label="Save backtest"
        checked={savesBacktest || kept.isSaved}
        disabled={kept.isSaved}
        hint={kept.isSaved ? 'Already saved' : undefined}
        onChange={setSavesBacktest}
      />
      {isTaken && savesStrategy && (
        <p className={classes.hint}>A strategy of this name exists. Its settings will be replaced by these.</p>
      )}
      <div className={classes.buttons}>
        <CancelButton />
        <Button type="submit" disabled={name.trim() === '' || !(savesStrategy || savesBacktest) || saving.isPending}>
          {saving.isPending ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </form>
  )
}
