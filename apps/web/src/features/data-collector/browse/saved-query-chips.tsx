import { IconBookmark, IconX } from '@tabler/icons-react'
import type { SavedQuery } from '@tradewright/contract/collected-data'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { useDialog } from '../use-dialog.ts'
import type { Tell } from '../use-notice.ts'
import { useDeleteQuery, useSavedQueries } from './browse-queries.ts'
import classes from './browse-tab.module.css'

interface SavedQueryChipsProps {
  tell: Tell
  onApply: (query: SavedQuery) => void
}

/** The most used come first. Without any, nothing is in the way. */
export function SavedQueryChips({ tell, onApply }: SavedQueryChipsProps) {
  const queries = useSavedQueries().data ?? []
  const removal = useDialog<SavedQuery>()
  const deletion = useDeleteQuery(tell)
  const { subject } = removal
  return (
    <>
      {queries.length > 0 && (
        <section className={classes.chips} aria-label="Saved queries">
          <IconBookmark size={15} aria-hidden />
          {queries.map((query) => (
            <span key={query.id} className={classes.chip}>
              <button type="button" title={query.description || undefined} onClick={() => onApply(query)}>
                {query.name}
              </button>
              <button type="button" aria-label={`Delete query ${query.name}`} onClick={() => removal.open(query)}>
                <IconX size={13} aria-hidden />
              </button>
            </span>
          ))}
        </section>
      )}
      <ConfirmModal
        opened={removal.isOpen}
        title={`Delete query “${subject?.name ?? ''}”?`}
        text="Only the saved filters are deleted, no data. A few seconds later this cannot be undone."
        confirmLabel="Delete query"
        busy={deletion.isPending}
        onCancel={removal.close}
        onConfirm={() => subject && deletion.mutate(subject, { onSettled: removal.close })}
      />
    </>
  )
}
