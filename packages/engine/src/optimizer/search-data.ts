import type { Column } from '@tradewright/core/column'
import type { EpochDay } from '@tradewright/core/time'
import type { RunConditions } from '../backtest/account-run.ts'
import type { BacktestSettings } from '../backtest/request.ts'
import { crypto, nyse } from '../market/trading-calendar.ts'
import type { CodeTable } from '../models/coded-matrix.ts'
import type { RowSpan } from '../models/splits.ts'
import type { PriceTable } from '../trading/price-table.ts'

/**
 * Everything that the individuals of one target share: prices, labels, and each candidate's column computed and coded
 * once. Plain data on shared memory, so that threads get it without a copy. Rows are usable rows: bars at which every
 * candidate has a value.
 */
export interface SearchData {
  readonly target: number
  readonly horizon: number
  readonly settings: BacktestSettings
  readonly prices: PriceTable
  readonly decisionAt: Float64Array
  readonly calendarId: string
  readonly barsPerYear: number
  readonly sessionAfter: EpochDay
  readonly limitingTicker: string | undefined
  readonly borrowingCosts: Column | undefined
  /** One return per step between bars. */
  readonly riskFree: Column | undefined
  readonly weights: { readonly buy: Float64Array; readonly sell: Float64Array }
  /** Bar of each row. */
  readonly usableRows: Int32Array
  /** Per row: 0, 1, or -1 where it is not known. */
  readonly labels: Int8Array
  /** The same without the answers that only the hold-out knows. */
  readonly searchLabels: Int8Array
  /** Rows from here on are the hold-out. */
  readonly holdOutFrom: number
  /** Gene of each column, ascending. */
  readonly genes: Int32Array
  /** Column after column, as long as there are rows. */
  readonly values: Float64Array
  readonly windows: readonly SearchWindow[]
}

export interface SearchWindow {
  readonly train: RowSpan
  readonly test: RowSpan
  readonly trainRows: Int32Array
  readonly testRows: Int32Array
  /** Every column, binned by the training rows of this window; undefined for models that need no bins. */
  readonly codes: CodeTable | undefined
}

export const columnOf = ({ values, usableRows }: SearchData, column: number): Float64Array =>
  values.subarray(column * usableRows.length, (column + 1) * usableRows.length)

/** Where the genes of an individual lie among the searchData's columns. */
export function columnsOf({ genes }: SearchData, wanted: readonly number[]): Int32Array {
  return Int32Array.from(wanted, (gene) => {
    const column = genes.indexOf(gene)
    if (column < 0) throw new Error(`candidate ${gene} has no column in this searchData`)
    return column
  })
}

/** The conditions as the backtest takes them; what cannot travel between threads is put in again. */
export function conditionsOf(searchData: SearchData): RunConditions {
  const { prices, decisionAt, barsPerYear, sessionAfter, limitingTicker, settings, borrowingCosts } = searchData
  const calendar = searchData.calendarId === crypto.id ? crypto : nyse
  return {
    settings,
    table: { prices, decisionAt, calendar, barsPerYear, sessionAfter, limitingTicker, continuations: [], notes: [] },
    deflator: undefined,
    flowDeflator: undefined,
    borrowingCosts,
    borrowingRate: undefined,
  }
}
