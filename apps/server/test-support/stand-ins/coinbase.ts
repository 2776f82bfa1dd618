import { SECOND } from '@tradewright/core/time'
import { madeUpBar } from './made-up-market.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

const KNOWN = new Set(['BTC-USD', 'ETH-USD'])
const GRANULARITIES = new Set([60, 300, 900, 3600, 21_600, 86_400])

/** Candles, newest first, one more before the start, the running one included, never more than 300. */
export function startCoinbaseStandIn(now: () => number): Promise<StandIn> {
  return startStandIn('coinbase', ({ path, query, headers }, fault) => {
    const product = /^\/products\/(.+)\/candles$/.exec(path)?.[1] ?? ''
    const seconds = Number(query.get('granularity'))
    const [start, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')]
    if (!headers['user-agent']) return { status: 400, body: { message: 'User-Agent header is required.' } }
    if (!KNOWN.has(product)) return { status: 404, body: { message: 'NotFound' } }
    if (!GRANULARITIES.has(seconds)) return { status: 400, body: { message: 'Unsupported granularity' } }
    const step = seconds * SECOND
    if ((end - start) / step > 300) {
      return {
        status: 400,
        body: {
          message: 'granularity too small for the requested time range. Count of aggregations requested exceeds 300',
        },
      }
    }
    const candles: unknown[][] = []
    for (let instant = Math.floor(start / step) * step - step; instant <= Math.min(end, now()); instant += step) {
      const { low, high, open, close, volume } = madeUpBar(product, instant)
      candles.push([instant / SECOND, low, high, open, close, volume])
    }
    candles.reverse()
    if (fault === 'negative-price') candles[1]![4] = -1
    if (fault === 'nan') candles[1]![4] = 'NaN'
    if (fault === 'time-runs-backwards') [candles[3], candles[4]] = [candles[4]!, candles[3]!]
    return { body: candles }
  })
}
