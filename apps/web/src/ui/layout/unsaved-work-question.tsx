import { ConfirmModal } from './confirm-modal.tsx'

interface UnsavedWorkQuestionProps {
  onStay: () => void
  onClose: () => void
}

/**
 * Asks before a dialog or a form with something typed in it is closed. Made when it is needed: a hidden one would hear
 * the same press of Escape that opens it, and close again.
 */
export function UnsavedWorkQuestion({ onStay, onClose }: UnsavedWorkQuestionProps) {
  return (
    <ConfirmModal
      opened
      title="Close without saving?"
      text="What you typed here is not saved and will be lost."
      confirmLabel="Close"
      cancelLabel="Keep editing"
      onCancel={onStay}
      onConfirm={onClose}
    />
  )
}
