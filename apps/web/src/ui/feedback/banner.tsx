import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import classes from './banner.module.css'
import messageClasses from './message.module.css'

interface BannerProps extends MessageContent {
  onClose?: () => void
  /** Closes by itself after this long, when `onClose` is given; stays by default. */
  closeAfterMs?: number
}

/** Page-level messages, above the content. Errors are announced at once, the rest when the reader is idle. */
export function Banner({ onClose, closeAfterMs, ...content }: BannerProps) {
  const pause = usePausableTimeout(closeAfterMs ?? null, () => onClose?.())
  return (
    <div
      className={classes.banner}
      data-kind={content.kind}
      role={content.kind === 'error' ? 'alert' : 'status'}
      {...pause}
    >
      <MessageBody {...content} onClose={onClose} />
    </div>
  )
}

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
      <Glyph className={messageClasses.icon} data-kind={kind} size={18} stroke={1.8} aria-hidden />
      <div className={messageClasses.words}>
        <p className={messageClasses.text}>{text}</p>
        {detail && <p className={messageClasses.detail}>{detail}</p>}
      </div>
      {action}
      {onClose && (
        <button type="button" className={messageClasses.close} aria-label="Dismiss" onClick={onClose}>
          <IconX size={16} stroke={1.8} aria-hidden />
        </button>
      )}
    </>
  )
}

/**
 * Runs `onEnd` after `milliseconds`, not counting the time during which the pointer or the focus is on the element
 * that takes the returned handlers. Null never ends.
 */
export function usePausableTimeout(milliseconds: number | null, onEnd: () => void) {
  const [isPaused, setPaused] = useState(false)
  const left = useRef(milliseconds)
  const end = useRef(onEnd)
  useEffect(() => {
    end.current = onEnd
  })

  useEffect(() => {
    if (left.current === null || isPaused) return undefined
    const started = performance.now()
    const timer = setTimeout(() => end.current(), left.current)
    return () => {
      clearTimeout(timer)
      left.current = Math.max(0, (left.current ?? 0) - (performance.now() - started))
    }
  }, [isPaused])

  return {
    onPointerEnter: () => setPaused(true),
    onPointerLeave: () => setPaused(false),
    onFocus: () => setPaused(true),
    onBlur: () => setPaused(false),
  }
}
