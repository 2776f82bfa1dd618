import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { type DataStore, storeMissing } from './data-store.ts'
import type { DataStoreRows, OpenStore, OpenStores } from './ports.ts'

/** Keeps one opened store per row: it caches what it has read of its catalogue. */
export function createOpenStores(
  rows: DataStoreRows,
  open: (store: DataStore) => Promise<SeriesStore>,
): OpenStores & { close(): Promise<void> } {
  const opened = new Map<number, { settings: string; series: Promise<SeriesStore> }>()

  async function seriesOf(store: DataStore): Promise<OpenStore> {
    const settings = settingsKey(store)
    const known = opened.get(store.id)
    const kept = known?.settings === settings ? known : { settings, series: open(store) }
    opened.set(store.id, kept)
    if (known && known !== kept) void known.series.then((series) => series.close()).catch(() => {})
    try {
      return { id: store.id, name: store.name, series: await kept.series }
    } catch (error) {
      opened.delete(store.id)
      throw error
    }
  }

  const defaultOf = async (userId: number) =>
    seriesOf((await rows.defaultOf(userId)) ?? (await rows.systemStore(userId)))

  return {
    defaultOf,
    async find(userId, id) {
      if (id === undefined) return defaultOf(userId)
      const store = await rows.find(userId, id)
      if (!store) throw storeMissing()
      return seriesOf(store)
    },
    async close() {
      for (const { series } of opened.values()) await (await series).close()
      opened.clear()
    },
  }
}

const settingsKey = ({ name, storeType, partitionStrategy, compression, connectionConfig, sealedSecrets }: DataStore) =>
  JSON.stringify([
    name,
    storeType,
    partitionStrategy,
    compression,
    connectionConfig,
    sealedSecrets?.toString('base64') ?? null,
  ])
