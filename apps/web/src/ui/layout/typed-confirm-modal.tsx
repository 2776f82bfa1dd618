import { useState } from 'react'
import classes from './confirm-modal.module.css'
import { ConfirmModal } from './confirm-modal.tsx'
import { TextField } from '../form/fields.tsx'

interface TypedConfirmModalProps {
  opened: boolean
  title: string
  /** Says what is lost. */
  text: string
  /** Has to be typed, letter for letter: who types it has read the sentence. */
  word: string
  confirmLabel: string
  busy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before much is lost at once. */
export function TypedConfirmModal({ word, onConfirm, onCancel, ...question }: TypedConfirmModalProps) {
  const [typed, setTyped] = useState('')
  const afterwards = (next: () => void) => () => {
    setTyped('')
    next()
  }
  return (
    <ConfirmModal
      {...question}
      isConfirmable={typed === word}
      onConfirm={afterwards(onConfirm)}
      onCancel={afterwards(onCancel)}
    >
      <div className={classes.typed}>
        <TextField label={`Type ${word} to confirm`} value={typed} onChange={setTyped} />
      </div>
    </ConfirmModal>
  )
}
