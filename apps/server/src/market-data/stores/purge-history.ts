import type { Clock } from '@tradewright/core/clock'
import type { OpenStores } from './ports.ts'

interface PurgeDeps {
  readonly stores: OpenStores
  readonly clock: Clock
  /** How long history is kept. */
  readonly keepMs: number
  readonly storesWithHistoryBefore: (at: Date) => Promise<readonly { storeId: number; userId: number }[]>
  readonly failed: (error: unknown, storeId: number) => void
}

/** Removes history that is older than it is kept, of every store. One that cannot be reached waits for the next time. */
export async function purgeHistory({
  stores,
  clock,
  keepMs,
  storesWithHistoryBefore,
  failed,
}: PurgeDeps): Promise<void> {
  const due = await storesWithHistoryBefore(new Date(clock.now().getTime() - keepMs))
  for (const { storeId, userId } of due) {
    try {
      await (await stores.find(userId, storeId)).series.purgeHistory?.()
    } catch (error) {
      failed(error, storeId)
    }
  }
}
