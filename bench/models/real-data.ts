import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { studioTableOf, type Table } from './market-data.ts'

const DIRECTORY = process.env['TRADEWRIGHT_DATA'] ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'data')

/** Funds and shares that move on most days, unlike those that hold bills. */
const TICKERS = ['SPY', 'QQQ', 'IWM', 'EEM', 'EFA', 'GLD', 'TLT', 'VNQ', 'AAPL', 'MSFT', 'IBM', 'KO']

/** Five years of one ticker after the other, or null where the shared data is not at hand. */
export function realTable(index: number): Table | null {
  const path = join(DIRECTORY, 'equities', 'daily', `${TICKERS[index % TICKERS.length]}.csv`)
  if (!existsSync(path)) return null
  const [header, ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  const names = header!.split(',')
  const rows = lines.map((line) => line.split(',').map(Number))
  const column = (name: string) => Float64Array.from(rows, (row) => row[names.indexOf(name)]!)
  const close = column('close')
  const adjusted = column('adj_close')
  const adjust = (values: Float64Array) => values.map((value, row) => (value * adjusted[row]!) / close[row]!)
  return studioTableOf({
    close: adjusted,
    high: adjust(column('high')),
    low: adjust(column('low')),
    volume: column('volume'),
    returns: adjusted.map((value, row) => (row === 0 ? 0 : Math.log(value / adjusted[row - 1]!))),
  })
}
