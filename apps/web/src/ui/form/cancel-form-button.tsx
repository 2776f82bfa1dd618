import { Button, type ButtonProps } from '@mantine/core'
import { useState } from 'react'
import { UnsavedWorkQuestion } from '../layout/unsaved-work-question.tsx'
import { hasUnsavedWork } from './unsaved-work.ts'

interface CancelFormButtonProps extends Pick<ButtonProps, 'size'> {
  onCancel: () => void
}

/** The Cancel of a form that is part of the page: asks first where something was typed and not sent. */
export function CancelFormButton({ onCancel, ...button }: CancelFormButtonProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        {...button}
        variant="default"
        onClick={({ currentTarget: { form } }) => {
          if (form && hasUnsavedWork(form)) setAsking(true)
          else onCancel()
        }}
      >
        Cancel
      </Button>
      {isAsking && <UnsavedWorkQuestion onStay={() => setAsking(false)} onClose={onCancel} />}
    </>
  )
}
