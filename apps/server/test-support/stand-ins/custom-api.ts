import { DAY, dateOf, dayStamp, epochDayOf, formatDate, SECOND } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { madeUpBar } from './made-up-market.ts'
import { type DataFault, type StandIn, startStandIn, type StandInAnswer } from './stand-in.ts'

const KNOWN = new Set(['AAPL', 'MSFT'])
const PAGE = 40

interface Row {
  date: string
  close: number | string
  volume: number
}

/** An API without an adapter, with its data in several shapes: pages of rows, columns, and keyed by date. */
export function startCustomApiStandIn(now: () => number, apiKey: string): Promise<StandIn> {
  return startStandIn('custom', ({ path, query, headers }, fault) => {
    if (headers['x-token'] !== `Token ${apiKey}` && query.get('token') !== apiKey)
      return { status: 401, body: { error: 'bad token' } }
    const [, shape = '', symbol = ''] = path.split('/')
    if (!KNOWN.has(symbol)) return { status: 404, body: { error: 'no such symbol' } }
    const from = dayStamp(dateOf(query.get('start') ?? ''))
    const rows = spoil(rowsOf(symbol, from, Math.min(dayStamp(dateOf(query.get('end') ?? '')) + DAY, now())), fault)
    return SHAPES[shape]?.(rows, query) ?? { status: 404, body: { error: 'no such shape' } }
  })
}

/** How a user would describe its pages of rows. */
export const pagedDefinition = (baseUrl: string) => ({
  id: 'my-api',
  displayName: 'My API',
  baseUrl,
  auth: { type: 'header', name: 'X-Token', prefix: 'Token ' },
  path: '/paged/{ticker}',
  query: { start: '{from}', end: '{to}' },
  paging: { type: 'page', parameter: 'page' },
  records: {
    shape: 'rows',
    path: 'data.items',
    timestamp: 'date',
    timestampFormat: 'date',
    values: { close: 'close', volume: 'volume' },
  },
})

function rowsOf(symbol: string, from: number, to: number): Row[] {
  const days = nyse.sessionsBetween(epochDayOf(from), epochDayOf(to - 1) + 1)
  return [...days].map((day) => {
    const { close, volume } = madeUpBar(symbol, dayStamp(day))
    return { date: formatDate(day), close, volume }
  })
}

function spoil(rows: Row[], fault: DataFault | undefined): Row[] {
  if (fault === 'nan') return rows.map((row, i) => (i === 3 ? { ...row, close: 'NaN' } : row))
  if (fault === 'negative-price') return rows.map((row, i) => (i === 3 ? { ...row, close: -5 } : row))
  if (fault === 'time-runs-backwards') return rows.map((row, i) => (i === 6 ? { ...row, date: rows[4]!.date } : row))
  return rows
}

const SHAPES: Readonly<Record<string, (rows: Row[], query: URLSearchParams) => StandInAnswer>> = {
  paged(rows, query) {
    const page = Number(query.get('page') ?? 1)
    return { body: { meta: { page }, data: { items: rows.slice((page - 1) * PAGE, page * PAGE) } } }
  },
  cursor(rows, query) {
    const start = Number(query.get('after') ?? 0)
    const next = start + PAGE < rows.length ? String(start + PAGE) : null
    return { body: { items: rows.slice(start, start + PAGE), next } }
  },
  columns: (rows) => ({
    body: {
      t: rows.map(({ date }) => dayStamp(dateOf(date)) / SECOND),
      c: rows.map(({ close }) => close),
      v: rows.map(({ volume }) => volume),
    },
  }),
  keyed: (rows) => ({
    body: {
      'Time Series': Object.fromEntries(
        rows
          .toReversed()
          .map(({ date, close, volume }) => [date, { '4. close': String(close), '5. volume': String(volume) }]),
      ),
    },
  }),
}
