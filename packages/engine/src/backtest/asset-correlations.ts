import type { Column } from '@tradewright/core/column'
import { isConstant, mean } from '../performance/statistics.ts'
import type { PriceTable } from '../trading/price-table.ts'

export interface AssetCorrelations {
  readonly tickers: readonly string[]
  /** By row and column, 1 on the diagonal; null where an asset's returns do not vary. */
  readonly matrix: readonly (readonly (number | null)[])[]
}

/** A larger table cannot be read, and the work grows with its square. */
const MAX_CORRELATED = 40

/**
 * Correlations of the bar returns, dividends included, of the assets that were held; undefined with more than the table
 * may have.
 */
export function assetCorrelations(
  prices: PriceTable,
  held: ReadonlySet<string>,
  lived: number,
): AssetCorrelations | undefined {
  const tickers = prices.tickers.filter((ticker) => held.has(ticker))
  if (tickers.length > MAX_CORRELATED) return undefined
  const deviations = tickers.map((ticker) => standardised(totalReturns(prices, prices.tickers.indexOf(ticker), lived)))
  return {
    tickers,
    matrix: deviations.map((row, i) =>
      deviations.map((column, j) => (i === j ? 1 : row && column ? product(row, column) : null)),
    ),
  }
}

function totalReturns({ close, dividends }: PriceTable, column: number, lived: number): Column {
  const [price, paid] = [close[column]!, dividends[column]]
  const returns = new Float64Array(Math.max(0, lived - 1))
  for (let bar = 1; bar < lived; bar++) {
    const before = price[bar - 1]!
    returns[bar - 1] = before > 0 ? (price[bar]! + (paid?.[bar] ?? 0)) / before - 1 : Number.NaN
  }
  return returns
}

/** Scaled so that the product of two is their correlation; undefined where there is nothing to correlate. */
function standardised(returns: Column): Column | undefined {
  if (isConstant(returns) || !returns.every(Number.isFinite)) return undefined
  const center = mean(returns)
  const deviations = returns.map((one) => one - center)
  const length = Math.sqrt(product(deviations, deviations))
  return deviations.map((one) => one / length)
}

function product(a: Column, b: Column): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
