import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
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
