import type { UserFiles } from '../../auth/ports.ts'
import type { Logger } from '../../log.ts'
import type { DataStoreRows, StoreConnector } from './ports.ts'

interface Deps {
  readonly rows: DataStoreRows
  readonly connector: StoreConnector
  readonly log: Logger
}

/** The files of a user's stores on this machine. One that cannot be removed does not keep the user from leaving; it is logged. */
export const userFiles = ({ rows, connector, log }: Deps): UserFiles => ({
  async of(userId) {
    const stores = await rows.list(userId)
    const discards = await Promise.all(stores.map((store) => connector.discarding(store)))
    return async () => {
      for (const [index, discard] of discards.entries()) {
        await discard().catch((error: unknown) => {
          log.warn({ err: error, store: stores[index]!.id }, 'the files of a deleted user could not be removed')
        })
      }
    }
  },
})
