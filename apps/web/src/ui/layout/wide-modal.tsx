import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import { Button, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { IconArrowsDiagonal, IconArrowsDiagonalMinimize2 } from '@tabler/icons-react'
import classes from './confirm-modal.module.css'

interface WideModalProps {
  title: string
  onClose: () => void
  children: ReactNode
}

/** A wide table to read, with the one button that ends it at its foot. */
export function WideModal({ title, onClose, children }: WideModalProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={1080}
      centered
      radius={12}
      withCloseButton={false}
      transitionProps={{ duration: 200 }}
      classNames={{ title: classes.title ?? '', content: classes.content ?? '', header: classes.header ?? '' }}
    >
      {children}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </Modal>
  )
}

interface ExpandableModalProps {
  title: string
  onClose: () => void
  /** A question on top of it has the Escape key for itself. */
  isAsking?: boolean
  children: ReactNode
}

/** Wide, and over the whole window when it is expanded. */
export function ExpandableModal({ title, onClose, isAsking = false, children }: ExpandableModalProps) {
  const [isExpanded, setExpanded] = useState(false)
  const Glyph = isExpanded ? IconArrowsDiagonalMinimize2 : IconArrowsDiagonal
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        <span className={classes.titleRow}>
          {title}
          <Button
            variant="default"
            size="xs"
            leftSection={<Glyph size={14} stroke={1.8} aria-hidden />}
            onClick={() => setExpanded(!isExpanded)}
          >
            {isExpanded ? 'Shrink' : 'Expand'}
          </Button>
        </span>
      }
      size={1080}
      fullScreen={isExpanded}
      closeOnEscape={!isAsking}
      centered
      radius={isExpanded ? 0 : 12}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 200 }}
      classNames={{ title: classes.title ?? '', content: classes.content ?? '', header: classes.header ?? '' }}
    >
      {children}
    </Modal>
  )
}
