import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import type { useDialog } from '../use-dialog.ts'
import type { Tell } from '../use-notice.ts'
import { ImportForm } from './import-form.tsx'

interface ImportModalProps {
  dialog: ReturnType<typeof useDialog<true>>
  tell: Tell
}

export function ImportModal({ dialog, tell }: ImportModalProps) {
  return (
    <ContentModal opened={dialog.isOpen} title="Import CSV File" onClose={dialog.close}>
      <ImportForm key={dialog.times} tell={tell} onClose={dialog.close} />
    </ContentModal>
  )
}
