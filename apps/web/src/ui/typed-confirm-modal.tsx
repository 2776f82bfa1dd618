import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import classes from './confirm-modal.module.css'
import { NO_LANDMARK } from './no-landmark.ts'
import { TextField } from './fields.tsx'

interface TypedConfirmModalProps {
  opened: boolean
  title: string
  /** What is lost. */
  text: string
  /** Has to be typed, letter for letter: who types it has read the sentence. */
  word: string
  confirmLabel: string
  busy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before much is lost at once. */
export function TypedConfirmModal({ opened, title, onCancel, ...question }: TypedConfirmModalProps) {
  return (
    <Modal
      opened={opened}
      onClose={onCancel}
      title={title}
      size={440}
      centered
      radius={12}
      withCloseButton={false}
      transitionProps={{ duration: 200 }}
      attributes={{ header: NO_LANDMARK }}
      classNames={{ title: classes.title ?? '', content: classes.content ?? '', header: classes.header ?? '' }}
    >
      <Question {...question} onCancel={onCancel} />
    </Modal>
  )
}

/** Begins empty each time the dialog opens. */
function Question({
  text,
  word,
  confirmLabel,
  busy = false,
  onConfirm,
  onCancel,
}: Omit<TypedConfirmModalProps, 'opened' | 'title'>) {
  const [typed, setTyped] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (typed === word) onConfirm()
      }}
    >
      <p className={classes.text}>{text}</p>
      <div className={classes.typed}>
        <TextField label={`Type ${word} to confirm`} value={typed} onChange={setTyped} />
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" data-danger disabled={typed !== word} loading={busy}>
          {confirmLabel}
        </Button>
      </div>
    </form>
  )
}
