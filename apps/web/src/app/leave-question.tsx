import { lazy, Suspense, useEffect } from 'react'
import { useBlocker } from 'react-router'
import { forgetUnsavedWork, hasUnsavedWork, watchForms } from '../ui/form/unsaved-work.ts'

/** Fetched when it is first needed: a visitor's first page goes without it. */
const ConfirmModal = lazy(async () => ({
  default: (await import('../ui/layout/confirm-modal.tsx')).ConfirmModal,
}))

/** Asks before another screen is opened while a form holds something that is not saved. */
export function LeaveQuestion() {
  useEffect(watchForms, [])
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && hasUnsavedWork(),
  )
  if (blocker.state !== 'blocked') return null
  return (
    <Suspense fallback={null}>
      <ConfirmModal
        opened
        title="Leave without saving?"
        text="What you typed on this page is not saved and will be lost."
        confirmLabel="Leave"
        cancelLabel="Stay"
        onCancel={() => blocker.reset()}
        onConfirm={() => {
          forgetUnsavedWork()
          blocker.proceed()
        }}
      />
    </Suspense>
  )
}
