import { useState } from 'react'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import { NoticeBanner } from '../notice-banner.tsx'
import type { useDialog } from '../use-dialog.ts'
import { type Tell, useNotice } from '../use-notice.ts'
import { DescribeForm } from './describe-form.tsx'
import { ReviewDefinition } from './review-definition.tsx'
import layout from '../layout.module.css'

interface GenerateModalProps {
  dialog: ReturnType<typeof useDialog<true>>
  tell: Tell
}

export function GenerateModal({ dialog, tell }: GenerateModalProps) {
  return (
    <ContentModal opened={dialog.isOpen} title="Generate New Provider" onClose={dialog.close}>
      <Generation key={dialog.times} tell={tell} onClose={dialog.close} />
    </ContentModal>
  )
}

/** First the documentation, then what the model made of it: nothing is saved before the user has seen it work. */
function Generation({ tell, onClose }: { tell: Tell; onClose: () => void }) {
  const [definition, setDefinition] = useState<unknown>(undefined)
  const { notice, tell: tellHere, dismiss } = useNotice()
  return (
    <div className={layout.form}>
      <NoticeBanner notice={notice} onClose={dismiss} />
      {definition === undefined ? (
        <DescribeForm tell={tellHere} onGenerated={setDefinition} />
      ) : (
        <ReviewDefinition
          definition={definition}
          tell={tell}
          tellHere={tellHere}
          onBack={() => setDefinition(undefined)}
          onClose={onClose}
        />
      )}
    </div>
  )
}
