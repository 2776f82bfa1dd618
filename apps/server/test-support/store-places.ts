import { createDataStoreRows } from '../src/stores/market-data/data-stores.ts'
import type { Database } from '../src/stores/database.ts'
import { createTestUser } from './test-user.ts'

/** So many data stores may one user have. */
const MAX_STORES = 50

/** Places for stores of a user of their own, and of others once it has enough: each a row that files can be listed for. */
export async function storePlaces(database: Database, username = 'keeper') {
  const userId = await createTestUser(database, username)
  const rows = createDataStoreRows(database)
  let owner = userId
  let count = 0
  return {
    userId,
    async next(): Promise<{ storeId: number; location: string }> {
      if (count > 0 && count % MAX_STORES === 0) owner = await createTestUser(database, `${username}-${count}`)
      count += 1
      const { id } = await rows.insert(owner, {
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
