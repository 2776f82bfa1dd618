import { isObservation, tickerKind, type TickerKind } from '@tradewright/core/ticker-kind'
import type { UtcMillis } from '@tradewright/core/time'
import { noActions } from '@tradewright/engine/market/corporate-actions'
import {
  normalise,
  type StampRule,
  stampAsInstant,
  stampAsUtcDay,
  type RefusedRow,
} from '@tradewright/engine/market/layers/rows'
import type { FetchRequest, TickerResult } from '@tradewright/engine/market/provider'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import type { SentRecords } from '../../market-data/custom-providers/records.ts'
import type { ProviderDefinition } from '../../market-data/provider-definition.ts'
import { delivery } from '../market-data/delivery.ts'
import { unfinishedFrom } from '../market-data/unfinished.ts'
import { symbolOf } from './request.ts'

export interface Sending {
  readonly definition: ProviderDefinition
  readonly request: FetchRequest
  readonly ticker: string
  readonly now: UtcMillis
  /** The stamp at which the part before ended: the rows of this one lie beyond it. */
  readonly edge: UtcMillis | undefined
}

/** The records as sent, as bronze, and the same in our words. */
export function toResult(sending: Sending, sent: SentRecords): TickerResult {
  const { definition, request, ticker, now } = sending
  const { granularity, categories, range } = request
  const { newestFirst } = definition.records
  const type = tickerKind(ticker)
  const bronze = toBronze(sending, type, sent)
  const stamp = granularity === '1d' ? stampAsUtcDay : stampAsInstant
  const unfinished = unfinishedFrom(type, granularity, now)
  const { silver, refused } = normalise(bronze, {
    ticker,
    type,
    categories: ourNames(definition, type),
    stamp,
    range: beyondEdge(sending),
    newestFirst,
    ...(unfinished === undefined ? {} : { unfinishedFrom: unfinished }),
  })
  const allRefused = [...refusedAtEdge(sending, bronze, stamp), ...refused]
  const result = delivery(definition, { bronze, silver, refused: allRefused }, { categories, range })
  if (sending.edge === undefined || result.outcome !== 'missing') return result
  // Rows were delivered before: an empty continuation is not a missing ticker.
  return { outcome: 'delivered', ticker, bronze, silver, refused: [], actions: noActions }
}

/** The stamp that the next part must not go back to. */
export const edgeAfter = ({ definition }: Sending, { timestamps }: SeriesBlock): UtcMillis | undefined =>
  definition.records.newestFirst ? timestamps[0] : timestamps.at(-1)

function beyondEdge({ definition, request: { range }, edge }: Sending): FetchRequest['range'] {
  if (edge === undefined) return range
  return definition.records.newestFirst ? { from: range.from, to: edge } : { from: edge + 1, to: range.to }
}

/** Rows of this part that repeat, or go back behind, those of the part before. */
function refusedAtEdge({ definition, ticker, edge }: Sending, bronze: SeriesBlock, stamp: StampRule): RefusedRow[] {
  if (edge === undefined) return []
  const { newestFirst } = definition.records
  return [...bronze.timestamps].flatMap((sent, row) => {
    const timestamp = stamp(sent)
    if (newestFirst ? !(timestamp >= edge) : !(timestamp <= edge)) return []
    const reason = timestamp === edge ? 'duplicate-timestamp' : 'time-runs-backwards'
    return [{ provider: definition.id, ticker, row, timestamp, reason }]
  })
}

/** A series that has one value by nature has it under `value`, whatever the definition calls it. */
function ourNames({ records }: ProviderDefinition, type: TickerKind): Record<string, string> {
  const names = Object.keys(records.values)
  if (isObservation(type) && names.length === 1) return { [names[0]!]: 'value' }
  return Object.fromEntries(names.map((name) => [name, name]))
}

const toBronze = ({ definition, request, ticker, now }: Sending, type: TickerKind, sent: SentRecords): SeriesBlock => ({
  ticker: symbolOf(definition, ticker),
  granularity: request.granularity,
  provider: definition.id,
  type,
  currency: definition.currency,
  collectedAt: now,
  timestamps: sent.timestamps,
  columns: sent.values,
})
