import { IconPlus, IconSearch, IconTrash } from '@tabler/icons-react'
import {
  type ConversationSummary,
  type ChatMessage,
  deleteConversation,
  getConversation,
  listConversations,
  RECENT_CHATS,
} from '@tradewright/contract/ai-assistant'
import { useState } from 'react'
import { getOpenAiStatus } from '@tradewright/contract/openai'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { formatExact, formatDate } from '../../lib/format-time.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { IconButton } from '../../ui/form/buttons.tsx'
import { SkeletonLine } from '../../ui/feedback/skeletons.tsx'
import { useNow } from '../../ui/feedback/use-now.ts'
import classes from './sidebar.module.css'
import { useOfferUndo } from '../../deletions/use-offer-undo.ts'
import { call } from '../../lib/http.ts'
import { showToast } from '../../ui/feedback/toasts/toasts.tsx'
import { type ShownMessage, FAILED } from './chat-state.ts'

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

export const CONVERSATIONS_KEY = ['conversations']

/** The latest; with a search, the latest of those that hold it. */
function useConversations(search: string) {
  return useQuery({
    queryKey: [...CONVERSATIONS_KEY, search],
    queryFn: async ({ signal }) => {
      const query = search === '' ? {} : { search }
      const { conversations } = await call(listConversations, { query: { ...query, limit: RECENT_CHATS }, signal })
      return conversations.slice(0, RECENT_CHATS)
    },
    placeholderData: keepPreviousData,
  })
}

/** Loaded on demand, never kept: the screen holds the conversation that is open. */
export async function loadConversation(id: string): Promise<ShownMessage[] | null> {
  try {
    const { messages } = await call(getConversation, { params: { id } })
    return messages.map(toShown)
  } catch (error) {
    tellFailure('This chat could not be loaded', error)
    return null
  }
}

interface DeletedChat {
  id: string
  title: string
}

export function useDeleteConversation(onDeleted: (id: string) => void) {
  const queries = useQueryClient()
  const offerUndo = useOfferUndo()
  return useMutation({
    mutationFn: ({ id }: DeletedChat) => call(deleteConversation, { params: { id } }),
    onSuccess: (_, { id, title }) => {
      onDeleted(id)
      offerUndo(`chat “${title}”`, [{ kind: 'conversation', id }])
    },
    onError: (error) => tellFailure('This chat could not be deleted', error),
    onSettled: () => queries.invalidateQueries({ queryKey: CONVERSATIONS_KEY }),
  })
}

/** The name of the model, or that the application itself answers. A failure shows nothing: the answers say it, too. */
export function useModelName() {
  const status = useQuery({
    queryKey: ['openai status'],
    queryFn: ({ signal }) => call(getOpenAiStatus, { signal }),
  })
  if (!status.data) return undefined
  return status.data.connected ? status.data.model_preference : null
}

/** A failure is stored as its reason alone, so the screen adds what failed. */
function toShown({ id, role, content, timestamp }: ChatMessage): ShownMessage {
  if (role === 'error') return { id, role, timestamp, content: FAILED, detail: content }
  return { id, role, timestamp, content }
}

const tellFailure = (text: string, error: unknown) =>
  showToast({ kind: 'error', text, detail: error instanceof Error ? error.message : null })
