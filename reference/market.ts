import { sampleMarket } from '@tradewright/engine/market/sample/sample-market'
import { dateOf, dayStamp, epochDayOf, formatDate } from '@tradewright/core/time'

/** Five calendar years of daily bars: enough for months, years and a drawdown, small enough to be committed. */
const RANGE = { from: dayStamp(dateOf('2015-01-01')), to: dayStamp(dateOf('2020-01-01')) }

/** Which columns of each ticker the references use. */
const PRICES: Readonly<Record<string, readonly string[]>> = {
  SPY: ['open', 'high', 'low', 'close', 'volume'],
  TLT: ['open', 'close'],
  GLD: ['open', 'close'],
  // Pays dividends and splits within the five years.
  NVDA: ['close'],
  // The assets that the rotations choose from.
  ...Object.fromEntries(
    ['EFA', 'EEM', 'AGG', 'IEF', 'LQD', 'SHY', 'BIL', 'TIP', 'DBC', 'VNQ', 'IWM', 'QQQ'].map((ticker) => [
      ticker,
      ['close'],
    ]),
  ),
}

/** Monthly series begin earlier, since January is interpolated from the end of December. */
const ECONOMIC_RANGE = { from: dayStamp(dateOf('2014-11-01')), to: dayStamp(dateOf('2020-02-01')) }
const ECONOMIC = ['TB3MS', 'FEDFUNDS', 'CPIAUCNS', 'UNRATE']

/** The part of the sample market that the references are computed on, as CSV by file name. Numbers are exact. */
export function marketFiles(): Map<string, string> {
  const market = sampleMarket()
  const files = new Map<string, string>()
  for (const [ticker, names] of Object.entries(PRICES)) {
    const { timestamps, columns, actions } = market.series(ticker, '1d', RANGE)!
    const dividends = new Map(actions.dividends.map(({ exDay, amount }) => [exDay, amount]))
    const splits = new Map(actions.splits.map(({ exDay, ratio }) => [exDay, ratio]))
    const rows = Array.from(timestamps, (stamp, row) => {
      const day = epochDayOf(stamp)
      return [formatDate(day), ...names.map((name) => columns[name]![row]), dividends.get(day), splits.get(day)]
    })
    files.set(`${ticker}.csv`, csv(['date', ...names, 'dividend', 'split'], rows))
  }
  for (const ticker of ECONOMIC) {
    const { timestamps, columns, knownAt } = market.series(ticker, '1d', ECONOMIC_RANGE)!
    const rows = Array.from(timestamps, (stamp, row) => [
      formatDate(epochDayOf(stamp)),
      columns['value']![row],
      new Date(knownAt![row]!).toISOString(),
    ])
    files.set(`${ticker}.csv`, csv(['date', 'value', 'known_at'], rows))
  }
  return files
}

function csv(header: readonly string[], rows: readonly (readonly (number | string | undefined)[])[]): string {
  return [header, ...rows].map((row) => `${row.map((cell) => cell ?? '').join(',')}\n`).join('')
}
