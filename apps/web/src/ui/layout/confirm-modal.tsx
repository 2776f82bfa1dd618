import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './confirm-modal.module.css'

/** A dialog's head is a header element, which counts as a second banner of the page unless it says otherwise. */
export const NO_LANDMARK = { role: 'presentation' } as const

interface ConfirmModalProps {
  opened: boolean
  /** The question, naming the thing: `Delete deployment “Gold hedge”?` */
  title: string
  /** Says what is lost. */
  text: string
  /** Repeats the verb: `Delete deployment`. */
  confirmLabel: string
  /** Where `Cancel` could be taken for the deed itself. */
  cancelLabel?: string
  busy?: boolean
  /** An input that must be filled first, between the text and the buttons. */
  children?: ReactNode
  isConfirmable?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before something is lost. The safe button has the first focus. */
export function ConfirmModal(props: ConfirmModalProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onCancel}
      title={props.title}
      size={440}
      centered
      radius={12}
      withCloseButton={false}
      transitionProps={{ duration: 200 }}
      attributes={{ header: NO_LANDMARK }}
      classNames={{ title: classes.title ?? '', content: classes.content ?? '', header: classes.header ?? '' }}
    >
      <p className={classes.text}>{props.text}</p>
      {props.children}
      <div className={classes.buttons}>
        <Button variant="default" data-autofocus onClick={props.onCancel}>
          {props.cancelLabel ?? 'Cancel'}
        </Button>
        <Button
          data-danger
          loading={props.busy ?? false}
          disabled={!(props.isConfirmable ?? true)}
          onClick={props.onConfirm}
        >
          {props.confirmLabel}
        </Button>
      </div>
    </Modal>
  )
}

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
