import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './message.module.css'

type MessageKind = 'error' | 'success' | 'warning' | 'info'

const ICONS = { error: IconAlertCircle, success: IconCircleCheck, warning: IconAlertTriangle, info: IconInfoCircle }

export interface MessageContent {
  kind: MessageKind
  text: string
  /** A second, quieter line. */
  detail?: string | null | undefined
  action?: ReactNode
}

/** Shared by banners and toasts: icon, bold sentence, optional second line and action, close button. */
export function MessageBody({
  kind,
  text,
  detail,
  action,
  onClose,
}: MessageContent & { onClose?: (() => void) | undefined }) {
  const Glyph = ICONS[kind]
  return (
    <>
      <Glyph className={classes.icon} data-kind={kind} size={18} stroke={1.8} aria-hidden />
      <div className={classes.words}>
        <p className={classes.text}>{text}</p>
        {detail && <p className={classes.detail}>{detail}</p>}
      </div>
      {action}
      {onClose && (
        <button type="button" className={classes.close} aria-label="Dismiss" onClick={onClose}>
          <IconX size={16} stroke={1.8} aria-hidden />
        </button>
      )}
    </>
  )
}
