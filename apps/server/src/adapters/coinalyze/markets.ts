import type { TickerKind } from '@tradewright/core/ticker-kind'
import type { CoinalyzeMarket } from './schema.ts'

/** Binance, Bybit, OKX: the deepest books first, any other exchange after them. */
const EXCHANGES = ['A', '6', '3']
const QUOTES = ['USDT', 'USDC', 'USD']

const placeIn = (list: readonly string[], item: string): number => {
  const place = list.indexOf(item)
  return place === -1 ? list.length : place
}

const rank = ({ margined, quote_asset, exchange }: CoinalyzeMarket): number =>
  (margined === 'STABLE' ? 0 : 1000) + placeIn(QUOTES, quote_asset) * 10 + placeIn(EXCHANGES, exchange)

/** The perpetual that stands for a coin: margined in stablecoins, best quote, then best exchange. */
export function perpetualOf(
  markets: readonly CoinalyzeMarket[],
  coin: string,
  kind: TickerKind,
): CoinalyzeMarket | undefined {
  return markets
    .filter((market) => market.is_perpetual && market.base_asset === coin)
    .filter((market) => kind !== 'long_short_ratio' || market.has_long_short_ratio_data)
    .sort((a, b) => rank(a) - rank(b) || (a.symbol < b.symbol ? -1 : 1))[0]
}
