import { sentenceFor } from '@tradewright/core/problem'
import { epochDayOf } from '@tradewright/core/time'
import { tradedAs } from '@tradewright/engine/live/trading-weights'
import { fixedRows } from '@tradewright/engine/backtest/request'
import type { AllocationRow } from '@tradewright/engine/trading/allocation'
import type { PlannedOrder } from '../decision.ts'
import { findRunnable } from './deployable-strategies.ts'
import type { LiveDeps } from '../deps.ts'
import type { DollarVolume } from '../ports/signal-service.ts'

/** The size of orders against what is traded of a ticker on an average day. */
export interface VolumeShare {
  readonly ticker: string
  readonly orderValue: number
  /** In dollars, over the last 20 days; null where no volume is known. */
  readonly averageUsd: number | null
  /** Why not, as a sentence. */
  readonly reason: string | null
  /** The volume is of the synthetic sample market. */
  readonly isSynthetic: boolean
}

type Needs = Pick<LiveDeps, 'signalService' | 'clock' | 'log'>

export async function volumeShares(
  { signalService, clock, log }: Needs,
  userId: number,
  values: ReadonlyMap<string, number>,
): Promise<VolumeShare[]> {
  const tickers = [...values.keys()]
  if (tickers.length === 0) return []
  let failure: string | null = null
  const known = await signalService
    .dollarVolumes(userId, tickers, epochDayOf(clock.now().getTime()))
    .catch((error: unknown) => {
      log.debug({ err: error }, 'average volumes are not known')
      failure = sentenceFor(error)
      return new Map<string, DollarVolume>()
    })
  return tickers.map((ticker) => {
    const { averageUsd = null, isSynthetic = false } = known.get(ticker) ?? {}
    const reason = averageUsd === null ? (failure ?? `No volume for ${ticker} is known.`) : null
    return { ticker, orderValue: values.get(ticker)!, averageUsd, reason, isSynthetic }
  })
}

/** Planned value by ticker: its orders count together, as their slices meet the same market. */
export function valuesOf(orders: readonly PlannedOrder[]): Map<string, number> {
  const values = new Map<string, number>()
  for (const { ticker, estimatedValue } of orders)
    values.set(ticker, (values.get(ticker) ?? 0) + Number(estimatedValue))
  return values
}

interface Deploying {
  readonly strategyId: number
  readonly tickerMapping: Readonly<Record<string, string>>
  /** In dollars. */
  readonly capital: number
}

/** The largest order that a strategy may send of each ticker: from nothing to its greatest weight. */
export async function volumeSharesOfStrategy(
  deps: LiveDeps,
  userId: number,
  { strategyId, tickerMapping, capital }: Deploying,
): Promise<VolumeShare[]> {
  const { runnable } = await findRunnable(deps, userId, strategyId)
  const largest = new Map<string, number>()
  for (const rows of fixedRows(runnable.request.strategy))
    for (const [ticker, weight] of weightsOf(rows, tickerMapping))
      largest.set(ticker, Math.max(largest.get(ticker) ?? 0, weight * capital))
  return volumeShares(deps, userId, largest)
}

function weightsOf(rows: readonly AllocationRow[], mapping: Deploying['tickerMapping']): Map<string, number> {
  const weights = new Map<string, number>()
  for (const { ticker, allocationPct } of rows) {
    const traded = tradedAs(ticker, mapping)
    if (traded && allocationPct > 0)
      weights.set(traded.ticker, (weights.get(traded.ticker) ?? 0) + (traded.leverage * allocationPct) / 100)
  }
  return weights
}
