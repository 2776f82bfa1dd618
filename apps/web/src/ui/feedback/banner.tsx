import classes from './banner.module.css'
import { MessageBody, type MessageContent } from './message.tsx'
import { usePausableTimeout } from './toasts/use-pausable-timeout.ts'

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
