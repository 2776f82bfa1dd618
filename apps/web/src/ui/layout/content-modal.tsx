import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { Modal } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { hasUnsavedWork } from '../form/unsaved-work.ts'
import { ConfirmModal } from './confirm-modal.tsx'
import classes from './confirm-modal.module.css'
import { NO_LANDMARK } from './no-landmark.ts'

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

/** Something to read or to fill in, over the page. Closing it asks first where something was typed and not sent. */
export function ContentModal({ opened, title, badge, size = 720, onClose, children }: ContentModalProps) {
  const body = useRef<HTMLDivElement>(null)
  const [isAsking, setAsking] = useState(false)
  const close = () => {
    if (body.current && hasUnsavedWork(body.current)) setAsking(true)
    else onClose()
  }
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
        {children}
      </div>
      <ConfirmModal
        opened={isAsking}
        title="Close without saving?"
        text="What you typed here is not saved and will be lost."
        confirmLabel="Close"
        cancelLabel="Keep editing"
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          onClose()
        }}
      />
    </Modal>
  )
}
