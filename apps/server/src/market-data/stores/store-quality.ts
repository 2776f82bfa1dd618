import type { UtcMillis } from '@tradewright/core/time'
import { type SeriesQuality, inspectStore } from '@tradewright/engine/market/quality/series-quality'
import type { Layer } from '@tradewright/engine/market/series'
import type { OpenStores } from './data-store.ts'
import type { QualityInput } from './quality-task.ts'

export interface StoreQualityDeps {
  readonly stores: OpenStores
  readonly now: () => UtcMillis
  /** Inspects on a compute thread, as work of the owner. */
  readonly inspect: (input: QualityInput, owner: string) => Promise<SeriesQuality>
}

/** The report on every series of a store, worst first. */
export async function storeQuality(
  { stores, now, inspect }: StoreQualityDeps,
  userId: number,
  storeId: number,
  layer: Layer,
): Promise<SeriesQuality[]> {
  const { series } = await stores.find(userId, storeId)
  const found = await Array.fromAsync(
    inspectStore(series, layer, (table) => inspect({ table, now: now() }, String(userId))),
  )
  return found.sort((a, b) => faultsOf(b) - faultsOf(a) || (a.ticker < b.ticker ? -1 : 1))
}

const faultsOf = (quality: SeriesQuality): number =>
  quality.missingRows +
  quality.unexpectedRows +
  quality.duplicates +
  quality.contradictions +
  quality.jumps.length +
  (quality.isStale ? 1 : 0)
