import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { Button, Modal } from '@mantine/core'
import { createContext, type ReactNode, use, useCallback, useRef, useState } from 'react'
import { hasUnsavedWork } from '../form/unsaved-work.ts'
import classes from './confirm-modal.module.css'
import { NO_LANDMARK, UnsavedWorkQuestion } from './confirm-modal.tsx'

interface ContentModalProps {
  opened: boolean
  title: string
  /** Beside the title: the source badge of what is shown. */
  badge?: ReactNode
  /** 440 px for a question, 720 for content, 1080 for wide tables. */
  size?: 440 | 720 | 1080
  onClose: () => void
  children: ReactNode
}

/** Closes the dialog around it as Escape does. */
const CloseDialog = createContext<(() => void) | null>(null)

/** Something to read or to fill in, over the page. Closing it asks first where something was typed and not sent. */
export function ContentModal({ opened, title, badge, size = 720, onClose, children }: ContentModalProps) {
  const body = useRef<HTMLDivElement>(null)
  const [isAsking, setAsking] = useState(false)
  const close = useCallback(() => {
    if (body.current && hasUnsavedWork(body.current)) setAsking(true)
    else onClose()
  }, [onClose])
  return (
    <Modal
      opened={opened}
      onClose={close}
      closeOnEscape={!isAsking}
      title={
        <span className={classes.titleRow}>
          {title} {badge}
        </span>
      }
      size={size}
      centered
      radius={12}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 200 }}
      attributes={{ header: NO_LANDMARK }}
      classNames={{ title: classes.title ?? '', content: classes.content ?? '', header: classes.header ?? '' }}
    >
      <div ref={body} style={{ display: 'contents' }}>
        <CloseDialog value={close}>{children}</CloseDialog>
      </div>
      {isAsking && (
        <UnsavedWorkQuestion
          onStay={() => setAsking(false)}
          onClose={() => {
            setAsking(false)
            onClose()
          }}
        />
      )}
    </Modal>
  )
}

/** The Cancel of a form in a ContentModal: asks as Escape does. */
export function CancelButton() {
  const close = use(CloseDialog)
  if (!close) throw new Error('A CancelButton stands inside of a ContentModal.')
  return (
    <Button variant="default" onClick={close}>
      Cancel
    </Button>
  )
}
