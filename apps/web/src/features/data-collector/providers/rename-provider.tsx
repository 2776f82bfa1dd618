import { Button } from '@mantine/core'
import type { Provider } from '@tradewright/contract/data-collector'
import { useState } from 'react'
import { CancelButton, ContentModal } from '../../../ui/layout/content-modal.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import layout from '../layout.module.css'
import type { useDialog } from '../use-dialog.ts'
import type { Tell } from '../use-notice.ts'
import { useRenameProvider } from './provider-queries.ts'

interface RenameProviderProps {
  dialog: ReturnType<typeof useDialog<Provider>>
  tell: Tell
}

export function RenameProvider({ dialog, tell }: RenameProviderProps) {
  return (
    <ContentModal opened={dialog.isOpen} title="Rename Provider" onClose={dialog.close}>
      {dialog.subject && <RenameForm key={dialog.times} provider={dialog.subject} tell={tell} onClose={dialog.close} />}
    </ContentModal>
  )
}

function RenameForm({ provider, tell, onClose }: { provider: Provider; tell: Tell; onClose: () => void }) {
  const [name, setName] = useState(provider.display_name)
  const renaming = useRenameProvider(tell)
  return (
    <form
      className={layout.form}
      onSubmit={(event) => {
        event.preventDefault()
        renaming.mutate({ id: provider.id, display_name: name }, { onSettled: onClose })
      }}
    >
      <TextField label="Provider name" value={name} onChange={setName} />
      <div className={layout.foot}>
        <CancelButton />
        <Button type="submit" disabled={name.trim() === '' || renaming.isPending}>
          Rename
        </Button>
      </div>
    </form>
  )
}
