import { Button } from '@mantine/core'
import { useState } from 'react'
import { CancelButton, ContentModal } from '../../../ui/layout/content-modal.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import layout from '../layout.module.css'
import { NoticeBanner } from '../notice-banner.tsx'
import type { useDialog } from '../use-dialog.ts'
import { type Tell, useNotice } from '../use-notice.ts'
import { useSaveQuery } from './browse-queries.ts'
import type { Filters } from './browse-state.ts'

interface SaveQueryModalProps {
  dialog: ReturnType<typeof useDialog<true>>
  filters: Filters
  tell: Tell
}

export function SaveQueryModal({ dialog, filters, tell }: SaveQueryModalProps) {
  return (
    <ContentModal opened={dialog.isOpen} title="Save Current Query" onClose={dialog.close}>
      <SaveForm key={dialog.times} filters={filters} tell={tell} onClose={dialog.close} />
    </ContentModal>
  )
}

function SaveForm({ filters, tell, onClose }: { filters: Filters; tell: Tell; onClose: () => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const { notice, tell: tellHere, dismiss } = useNotice()
  const saving = useSaveQuery({ tell, onSaved: onClose, onFailed: tellHere })
  return (
    <form
      className={layout.form}
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate({ name, description, filters })
      }}
    >
      <NoticeBanner notice={notice} onClose={dismiss} />
      <TextField label="Query name" required value={name} onChange={setName} />
      <TextField label="Description" hint="Optional" value={description} onChange={setDescription} />
      <p className={layout.hint}>{filterWords(filters)}</p>
      <div className={layout.foot}>
        <CancelButton />
        <Button type="submit" disabled={name.trim() === '' || saving.isPending}>
          {saving.isPending ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

/** The filters to be saved, in one line. */
function filterWords({ tickers, categories, providers, startDate, endDate }: Filters): string {
  const parts = [tickers, categories, providers].filter((list) => list.length > 0).map((list) => list.join(', '))
  if (startDate) parts.push(`from ${startDate}`)
  if (endDate) parts.push(`to ${endDate}`)
  return parts.join(' · ')
}
