import type { Broker } from '@tradewright/engine/trading/broker'
import { memoized } from '../memoize.ts'
import type { Assets } from './types.ts'

/** Memoized: a broker's answer about an asset holds for all decisions of one poll. */
export function askedOnce(broker: Assets): Assets {
  const known = memoized<Awaited<ReturnType<Broker['asset']>>>()
  return { asset: (ticker) => known(ticker, () => broker.asset(ticker)) }
}
