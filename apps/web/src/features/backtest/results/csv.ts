import { standInsOn } from '@tradewright/contract/backtest-figures'
import { csvText } from '@tradewright/core/csv'
import { downloadFile } from '../../../lib/download.ts'
import type { StudioResult } from '../answer/studio-result.ts'
import { signalWord } from './signal.ts'

export const csvName = (day: string): string => `backtest_results_${day}.csv`

const today = (): string => new Date().toISOString().slice(0, 10)

export const downloadCsv = async (result: StudioResult): Promise<void> =>
  downloadFile(csvName(today()), await csvFile(result))

export const downloadJson = (file: Blob): void => downloadFile(`backtest_results_${today()}.json`, file)

/** Written in a few milliseconds. */
const SLICE = 2_000

/** All rows of Full Results, oldest first. Between two slices the page has its turn. */
async function csvFile(result: StudioResult): Promise<Blob> {
  const parts = [csvHeader(result)]
  for (let from = 0; from < result.test_dates.length; from += SLICE) {
    parts.push(csvRows(result, from, from + SLICE))
    await new Promise((resume) => setTimeout(resume))
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}

/** Synthetic data says so in a column of its own, and so do days on which prices of others stand in for a ticker. */
export function csvHeader(result: StudioResult): string {
  const source = result.synthetic ? ['Source'] : []
  const standIns = result.spliced_tickers.length > 0 ? ['Stand-in prices'] : []
  return csvText([['Date', 'Value', 'Signal', ...featuresOf(result).map(([name]) => name), ...source, ...standIns]])
}

/** Rows of the result with numbers and dates as programs read them. */
export function csvRows(result: StudioResult, from: number, to: number): string {
  const { test_dates, account_value_history: values, test_predictions: signals, spliced_tickers: spliced } = result
  const features = featuresOf(result)
  const source = result.synthetic ? ['Synthetic sample data'] : []
  const rowOf = (date: string, row: number) => {
    const known = features.map(([, column]) => column[row] ?? '')
    const standIns = spliced.length > 0 ? [standInsOn(spliced, date.slice(0, 10))] : []
    return [date, values[row] ?? '', signalWord(signals?.[row] ?? null), ...known, ...source, ...standIns]
  }
  return csvText(test_dates.slice(from, to).map((date, at) => rowOf(date, from + at)))
}

const featuresOf = (result: StudioResult) => Object.entries(result.test_feature_values ?? {})
