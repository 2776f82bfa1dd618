import type { UserFormatsStore } from '../../auth/ports.ts'
import type { UserFormats } from '../../auth/user.ts'
import type { Database } from '../database.ts'

export const createUserFormatsStore = (database: Database): UserFormatsStore => ({
  async find(userId) {
    const row = await database.selectFrom('users').select('formats').where('id', '=', userId).executeTakeFirst()
    return (row?.formats as UserFormats | null | undefined) ?? null
  },

  async save(userId, formats) {
    await database
      .updateTable('users')
      .set({ formats: JSON.stringify(formats) })
      .where('id', '=', userId)
      .execute()
  },
})
