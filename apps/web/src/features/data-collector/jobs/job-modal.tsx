import type { CollectionJob } from '@tradewright/contract/data-collector'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import type { useDialog } from '../use-dialog.ts'
import type { Tell } from '../use-notice.ts'
import { JobFields } from './job-fields.tsx'

interface JobModalProps {
  dialog: ReturnType<typeof useDialog<CollectionJob | 'new'>>
  /** All jobs, for those that this one may wait for. */
  jobs: readonly CollectionJob[]
  tell: Tell
}

export function JobModal({ dialog, jobs, tell }: JobModalProps) {
  const job = dialog.subject === 'new' || dialog.subject === null ? undefined : dialog.subject
  return (
    <ContentModal
      opened={dialog.isOpen}
      title={job ? 'Edit Collection Job' : 'Create Collection Job'}
      onClose={dialog.close}
    >
      <JobFields
        key={dialog.times}
        job={job}
        others={jobs.filter(({ id }) => id !== job?.id)}
        tell={tell}
        onClose={dialog.close}
      />
    </ContentModal>
  )
}
