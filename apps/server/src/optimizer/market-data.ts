import { Problem } from '@tradewright/core/problem'
import { requiredSeries } from '@tradewright/engine/backtest/required-series'
import type { SearchPlan } from '@tradewright/engine/optimizer/plan'
import { deserialize, serialize } from 'node:v8'
import { type FetchedData, fetchRequired, type SeriesAccess } from '../backtests/market-data-for.ts'

/** Prices of a run are kept with it, in the database; a larger set is a mistake in the form. */
const MAX_BYTES = 128 * 2 ** 20

/** Everything that any individual of a search reads. */
export function searchData(plan: SearchPlan, access: SeriesAccess): Promise<FetchedData> {
  const required = plan.targets.flatMap(({ backtest }) => requiredSeries(backtest))
  return fetchRequired(required, plan.targets[0]!.backtest.settings, access)
}

/** Packs columns into bytes that give the same columns to the last bit. */
export function packData(fetched: FetchedData): Uint8Array {
  const bytes = serialize(fetched)
  if (bytes.length <= MAX_BYTES) return bytes
  throw new Problem(
    'too-large',
    'optimizer.too-large',
    'The prices of this run are too many to store: use a coarser granularity, a shorter range or fewer assets.',
  )
}

export const unpackData = (bytes: Uint8Array): FetchedData => deserialize(bytes) as FetchedData
