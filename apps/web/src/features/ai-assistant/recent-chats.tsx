import { IconPlus, IconSearch, IconTrash } from '@tabler/icons-react'
import type { ConversationSummary } from '@tradewright/contract/ai-assistant'
import { useState } from 'react'
import { formatExact, formatDate } from '../../lib/format-time.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { SkeletonLine } from '../../ui/feedback/skeletons.tsx'
import { useNow } from '../../ui/feedback/use-now.ts'
import { type DeletedChat, useConversations } from './queries.ts'
import classes from './sidebar.module.css'

interface RecentChatsProps {
  currentId: string
  onNew: () => void
  onOpen: (id: string) => void
  onDelete: (chat: DeletedChat) => void
}

/** On narrow screens the list is folded until it is asked for. */
export function RecentChats({ currentId, onNew, onOpen, onDelete }: RecentChatsProps) {
  const [search, setSearch] = useState('')
  const [isUnfolded, setUnfolded] = useState(false)
  const chats = useConversations(search.trim())
  return (
    <section className={classes.section} aria-labelledby="recent-chats">
      <div className={classes.headingRow}>
        <h2 className={classes.heading} id="recent-chats">
          Recent Chats
        </h2>
        <button
          type="button"
          className={classes.fold}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isUnfolded ? 'Hide' : 'Show'}
        </button>
        <IconButton icon={IconPlus} label="New chat" onClick={onNew} />
      </div>
      <div className={classes.chats} data-unfolded={isUnfolded}>
        <TextField
          label="Search chats"
          hideLabel
          type="search"
          placeholder="Search chats"
          value={search}
          onChange={setSearch}
          leftSection={<IconSearch aria-hidden />}
        />
        {chats.isPending && <SkeletonLine width="80%" />}
        {chats.isError && <p className={classes.none}>The chats could not be loaded.</p>}
        {chats.data?.length === 0 && (
          <p className={classes.none}>
            {search ? 'No chats match your search.' : 'No chats yet. Your first question starts one.'}
          </p>
        )}
        <ul className={classes.list}>
          {chats.data?.map((chat) => (
            <ChatItem
              key={chat.conversation_id}
              chat={chat}
              isCurrent={chat.conversation_id === currentId}
              onOpen={onOpen}
              onDelete={onDelete}
            />
          ))}
        </ul>
      </div>
    </section>
  )
}

interface ChatItemProps extends Pick<RecentChatsProps, 'onOpen' | 'onDelete'> {
  chat: ConversationSummary
  isCurrent: boolean
}

function ChatItem({ chat, isCurrent, onOpen, onDelete }: ChatItemProps) {
  const { conversation_id: id, title, last_message_time: time } = chat
  const now = useNow()
  return (
    <li className={classes.item} data-current={isCurrent}>
      <button type="button" className={classes.open} aria-current={isCurrent} onClick={() => onOpen(id)}>
        <span className={classes.title}>{title}</span>
        <time className={`${classes.time} tabular`} dateTime={time} title={formatExact(time)}>
          {relativeTime(time, now)}
        </time>
      </button>
      <IconButton icon={IconTrash} label={`Delete chat ${title}`} onClick={() => onDelete({ id, title })} />
    </li>
  )
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `now`, `5m`, `3h`, `2d`, and the date after 7 days. */
export function relativeTime(when: string, now: number): string {
  const age = now - Date.parse(when)
  if (!(age >= MINUTE)) return 'now'
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m`
  if (age < DAY) return `${Math.floor(age / HOUR)}h`
  if (age <= 7 * DAY) return `${Math.floor(age / DAY)}d`
  return formatDate(when)
}
