import type { Column } from '@tradewright/core/column'
import { TBILLX } from '@tradewright/core/ticker-kind'
import { asOf } from '../market/align.ts'
import { simpleReturns } from '../performance/returns.ts'
import { BILL_RATES, ratesAt } from './interest-rates.ts'
import type { SeriesSet } from './priced-series.ts'
import { rowsOnBars } from './rows-on-bars.ts'
import type { SimulationTable } from './simulation-table.ts'

interface RiskFree {
  /** One return per step between bars; undefined counts as zero. */
  readonly returns: Column | undefined
  /** For the screen: what the Sharpe ratio is measured against. */
  readonly name: string
}

/** The name of the absent one. */
export const NO_RISK_FREE = '0 %'

/** The ticker that was asked for, else the T-bill where its rate is at hand, else nothing. */
export function riskFreeReturns(
  seriesSet: SeriesSet,
  ticker: string | undefined,
  { prices, decisionAt }: SimulationTable,
): RiskFree {
  const rate = ticker === undefined ? ratesAt(seriesSet.lookUp, BILL_RATES, prices.timestamps).symbol : undefined
  if (ticker === undefined && rate === undefined) return { returns: undefined, name: NO_RISK_FREE }
  const { table } = seriesSet.priced(ticker ?? TBILLX)
  const close = table.columns['close'] ?? table.columns['value']!
  const onBars = rowsOnBars(table, close, prices.timestamps) ?? asOf(table, close, decisionAt)
  // Where there is no price yet nothing was earned.
  const returns = simpleReturns(onBars).map((earned) => (Number.isFinite(earned) ? earned : 0))
  return { returns, name: ticker ?? `3-month T-bill (${rate})` }
}

/** A risk-free return in dollars that lose value is less. */
export function realReturns(returns: Column | undefined, deflator: Column | undefined): Column | undefined {
  if (!returns || !deflator) return returns
  return returns.map((earned, i) => ((1 + earned) * deflator[i + 1]!) / deflator[i]! - 1)
}
