import { sql } from 'kysely'
import type { ChatMessage, ConversationStore, MessageRole, NewMessage } from '../../assistant/conversations.ts'
import { removeForUndo } from '../deletions/deleted-rows.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import type { Connection, ConnectionStore } from '../../assistant/connection/connect.ts'

export function createConversationStore(database: Database): ConversationStore {
  const owned = (userId: number, conversationId: string) =>
    database.selectFrom('conversations').where('user_id', '=', userId).where('conversation_id', '=', conversationId)
  return {
    list: (userId, { search, limit }) =>
      database
        .selectFrom('conversations')
        .select((row) => [
          'conversation_id as conversationId',
          'title',
          'last_message_at as lastMessageAt',
          row
            .selectFrom('conversation_messages')
            .whereRef('conversation', '=', 'conversations.id')
            .select((messages) => messages.fn.countAll<number>().as('count'))
            .$asScalar()
            .$notNull()
            .as('messageCount'),
        ])
        .where('user_id', '=', userId)
        .$if(search !== undefined && search !== '', (query) =>
          query.where((row) => {
            const pattern = containing(search!)
            const said = row
              .selectFrom('conversation_messages')
              .select(sql.lit(1).as('one'))
              .whereRef('conversation', '=', 'conversations.id')
              .where('content', 'ilike', pattern)
            return row.or([row('title', 'ilike', pattern), row.exists(said)])
          }),
        )
        .orderBy('last_message_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    async find(userId, conversationId) {
      const found = await owned(userId, conversationId).select(['id', 'title']).executeTakeFirst()
      if (!found) return undefined
      const rows = await database
        .selectFrom('conversation_messages')
        .select(['id', 'role', 'content', 'created_at'])
        .where('conversation', '=', found.id)
        .orderBy('id')
        .execute()
      return { conversationId, title: found.title, messages: rows.map(toMessage) }
    },

    begin: (userId, conversationId, title, message) =>
      database.transaction().execute(async (transaction) => {
        const { id } = await transaction
          .insertInto('conversations')
          .values({
            user_id: userId,
            conversation_id: conversationId,
            title,
            created_at: message.at,
            last_message_at: message.at,
          })
          .onConflict((conflict) =>
            conflict.constraint('one_conversation_per_user_and_id').doUpdateSet({ last_message_at: message.at }),
          )
          .returning('id')
          .executeTakeFirstOrThrow()
        await insert(transaction, id, message)
      }),

    append: (userId, conversationId, message) =>
      database.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('conversations')
          .set({ last_message_at: message.at })
          .where('user_id', '=', userId)
          .where('conversation_id', '=', conversationId)
          .returning('id')
          .executeTakeFirst()
        if (row) await insert(transaction, row.id, message)
      }),

    remove: (userId, conversationId) => removeForUndo(database, 'conversation', userId, conversationId),
  }
}

async function insert(transaction: DatabaseTransaction, conversation: number, message: NewMessage): Promise<void> {
  const { role, content, at } = message
  // A model may say what PostgreSQL cannot keep.
  const storable = content.replaceAll('\0', '').toWellFormed()
  await transaction
    .insertInto('conversation_messages')
    .values({ conversation, role, content: storable, created_at: at })
    .execute()
}

interface Row {
  id: number
  role: string
  content: string
  created_at: Date
}

const toMessage = ({ id, role, content, created_at }: Row): ChatMessage => ({
  id,
  // The table's check lets in nothing else.
  role: role as MessageRole,
  content,
  at: created_at,
})

const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, (letter) => `\\${letter}`)}%`

export function createConnectionStore(database: Database): ConnectionStore {
  return {
    async find(userId): Promise<Connection | undefined> {
      return database
        .selectFrom('openai_connections')
        .select([
          'sealed_key as sealedKey',
          'model',
          'base_url as baseUrl',
          'unverified_reason as unverifiedReason',
          'last_used as lastUsed',
        ])
        .where('user_id', '=', userId)
        .executeTakeFirst()
    },

    async save(userId, { sealedKey, model, baseUrl, unverifiedReason }, at) {
      const values = {
        sealed_key: sealedKey,
        model,
        base_url: baseUrl,
        unverified_reason: unverifiedReason,
        last_used: null,
        created_at: at,
      }
      await database
        .insertInto('openai_connections')
        .values({ ...values, user_id: userId })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
        .execute()
    },

    async chooseModel(userId, model) {
      const { numUpdatedRows } = await database
        .updateTable('openai_connections')
        .set({ model })
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async used(userId, at) {
      await database
        .updateTable('openai_connections')
        .set({ last_used: at, unverified_reason: null })
        .where('user_id', '=', userId)
        .execute()
    },

    async remove(userId) {
      await database.deleteFrom('openai_connections').where('user_id', '=', userId).execute()
    },
  }
}
