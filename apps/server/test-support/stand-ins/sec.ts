import { type StandIn, startStandIn } from './stand-in.ts'

const BLOCKED = '<html><body><h1>Your Request Originates from an Undeclared Automated Tool</h1></body></html>'

const LARGEST = ['NVDA', 'AAPL', 'MSFT', 'GOOGL', 'GOOG', 'AMZN', 'BRK-B', 'BRK-A']

/** Some 300 rows keyed by number, written out of order, for those who say who they are. */
export function startSecStandIn(): Promise<StandIn> {
  return startStandIn('sec', ({ path, headers }, fault) => {
    if (!headers['user-agent']?.includes('@')) return { status: 403, body: BLOCKED }
    if (path !== '/files/company_tickers.json') return { status: 404, body: '<html></html>' }
    const rows = Array.from({ length: 300 }, (_, i) => [
      `"${i}"`,
      JSON.stringify({
        cik_str: 1000 + i,
        ticker: fault === 'nan' && i === 1 ? 7 : (LARGEST[i] ?? `TK${i}`),
        title: `COMPANY ${i} INC`,
      }),
    ])
    return {
      headers: { 'content-type': 'application/json' },
      body: `{${rows.map(([key, row]) => `${key}:${row}`).join(',')}}`,
    }
  })
}
