import { Banner } from '../../ui/feedback/banner.tsx'
import classes from './message-list.module.css'
import type { Messages } from './use-messages.ts'

/** Stands above the content, and in view wherever on the page the button was that the messages answer. */
export function MessageList({ messages: { shown, dismiss } }: { messages: Messages }) {
  if (shown.length === 0) return null
  return (
    <div className={classes.messages}>
      {shown.map(({ id, content }) => (
        <Banner key={id} {...content} onClose={() => dismiss(id)} />
      ))}
    </div>
  )
}
