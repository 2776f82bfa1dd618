import { addCounts, noWrites } from '@tradewright/engine/market/layers/upsert'
import { addLeftOut, type LeftOut } from '@tradewright/engine/market/layers/rows'
import type { IngestCounts } from '@tradewright/engine/market/layers/ingest'
import { layers, type Layer } from '@tradewright/engine/market/series'
import type { WriteCounts } from '@tradewright/engine/market/series-store'
import type { LayerCounts } from './collection-job.ts'

export class RunCounts {
  fetched = 0
  leftOut: readonly LeftOut[] = []
  conflicts = 0
  readonly #written: Record<Layer, WriteCounts> = { bronze: noWrites, silver: noWrites, gold: noWrites }
  /** Sentences about what could not be had. */
  readonly shortfalls: string[] = []
  delivered = 0

  addStored({ written, conflicts, refused }: IngestCounts): void {
    for (const layer of layers) this.#written[layer] = addCounts(this.#written[layer], written[layer])
    this.conflicts += conflicts
    this.leftOut = addLeftOut(this.leftOut, refused)
  }

  /** New and corrected records of the provider's own layer; what was there already does not count. */
  get stored(): number {
    return changesOf(this.#written.silver)
  }

  get corrected(): number {
    return this.#written.silver.replaced
  }

  get byLayer(): LayerCounts {
    const { bronze, silver, gold } = this.#written
    return { bronze: changesOf(bronze), silver: changesOf(silver), gold: changesOf(gold) }
  }
}

const changesOf = ({ inserted, replaced }: WriteCounts): number => inserted + replaced
