import { createDataStoreRows } from '../src/stores/data-stores.ts'
import type { Database } from '../src/stores/database.ts'
import { createTestUser } from './test-user.ts'

/** Places for stores of one user of their own: each a row of the database that files can be listed for. */
export async function storePlaces(database: Database, username = 'keeper') {
  const userId = await createTestUser(database, username)
  const rows = createDataStoreRows(database)
  return {
    userId,
    async next(): Promise<{ storeId: number; location: string }> {
      const { id } = await rows.insert(userId, {
        name: 'Mine',
        storeType: 'local',
        isDefault: false,
        defaultFormat: 'parquet',
        partitionStrategy: 'none',
        compression: 'snappy',
        connectionConfig: {},
        sealedSecrets: null,
        unverifiedReason: null,
      })
      return { storeId: id, location: 'test' }
    },
  }
}
