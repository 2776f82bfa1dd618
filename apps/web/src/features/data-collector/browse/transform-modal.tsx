import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import layout from '../layout.module.css'
import { NoticeBanner } from '../notice-banner.tsx'
import type { useDialog } from '../use-dialog.ts'
import { useNotice } from '../use-notice.ts'
import { useApplyTransform } from './browse-queries.ts'
import type { Filters } from './browse-state.ts'
import { TransformCards } from './transform-cards.tsx'
import { TransformResult } from './transform-result.tsx'

interface TransformModalProps {
  dialog: ReturnType<typeof useDialog<Filters>>
}

/** First the starter transforms, then the table that one of them makes of the selection. */
export function TransformModal({ dialog }: TransformModalProps) {
  const { notice, tell, dismiss } = useNotice()
  const transform = useApplyTransform(tell)
  const filters = dialog.subject
  const back = () => {
    transform.reset()
    dismiss()
  }
  const close = () => {
    dialog.close()
    back()
  }
  return (
    <ContentModal
      opened={dialog.isOpen}
      title="Transform & Analyze Data"
      badge={transform.data?.synthetic ? <SourceBadge synthetic /> : null}
      size={1080}
      onClose={close}
    >
      <div className={layout.form}>
        <NoticeBanner notice={notice} onClose={dismiss} />
        {transform.data ? (
          <TransformResult
            name={transform.variables?.transform ?? ''}
            categories={filters?.categories ?? []}
            result={transform.data}
            onBack={back}
          />
        ) : (
          <>
            <p className={layout.words}>
              {filters?.tickers.join(', ')} · {filters?.categories.join(', ')} · {filters?.layer}
            </p>
            <TransformCards
              running={transform.isPending ? transform.variables.transform : null}
              onApply={(name) => filters && transform.mutate({ filters, transform: name })}
            />
          </>
        )}
      </div>
    </ContentModal>
  )
}
