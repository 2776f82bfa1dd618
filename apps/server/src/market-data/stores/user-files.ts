import type { UserFiles } from '../../auth/ports.ts'
import type { Logger } from '../../log.ts'
import type { DataStoreRows, StoreConnector } from './ports.ts'

interface Deps {
  readonly rows: DataStoreRows
  readonly connector: StoreConnector
  readonly log: Logger
}

/** The files of a user's stores on this machine. One that cannot be removed keeps nobody from leaving; it is logged. */
export const userFiles = ({ rows, connector, log }: Deps): UserFiles => ({
  async of(userId) {
    const stores = await rows.list(userId)
    return async () => {
      for (const store of stores) {
        await connector.discard(store).catch((error: unknown) => {
          log.warn({ err: error, store: store.id }, 'the files of a deleted user could not be removed')
        })
      }
    }
  },
})
