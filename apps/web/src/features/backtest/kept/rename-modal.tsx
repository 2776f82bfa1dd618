import { Button } from '@mantine/core'
import { useState } from 'react'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import { CancelButton, ContentModal } from '../../../ui/layout/content-modal.tsx'
import { FAILED } from '../messages.ts'
import { useRenameBacktest } from '../queries.ts'
import classes from './kept.module.css'
import type { KeptProps } from './kept-run.ts'

interface RenameModalProps extends KeptProps {
  opened: boolean
  onClose: () => void
}

export function RenameModal({ opened, ...form }: RenameModalProps) {
  return (
    <ContentModal opened={opened} size={440} title="Rename result" onClose={form.onClose}>
      <RenameForm {...form} />
    </ContentModal>
  )
}

function RenameForm({ kept, onKept, onClose }: Omit<RenameModalProps, 'opened'>) {
  const [name, setName] = useState(kept.name)
  const renaming = useRenameBacktest()
  return (
    <form
      className={classes.form}
      aria-label="Rename result"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        renaming.mutate(
          { id: kept.id, name },
          {
            onSuccess: (renamed) => {
              onKept({ ...kept, name: renamed.name })
              onClose()
            },
          },
        )
      }}
    >
      {renaming.isError && <Banner kind="error" text={FAILED['rename result']} detail={renaming.error.message} />}
      <TextField label="Name" required isFocused value={name} onChange={setName} />
      <div className={classes.buttons}>
        <CancelButton />
        <Button type="submit" disabled={name.trim() === '' || renaming.isPending}>
          Rename
        </Button>
      </div>
    </form>
  )
}
