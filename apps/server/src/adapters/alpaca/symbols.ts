import { tickerKind } from '@tradewright/core/ticker-kind'

const isCoin = (ticker: string): boolean => tickerKind(ticker) === 'crypto'

/** For orders and assets: `BRK-B` is `BRK.B`, `BTC-USD` is `BTC/USD`. */
export const toAlpacaSymbol = (ticker: string): string => ticker.replace('-', isCoin(ticker) ? '/' : '.')

const COIN = /^([A-Z0-9]+?)\/?(USD[TC]?|BTC)$/

/** Back again. Positions in coins come without their slash, so the asset class must say that it is one. */
export function toTicker(symbol: string, assetClass: string | undefined): string {
  if (assetClass === 'crypto' || symbol.includes('/')) {
    const [, base, quote] = COIN.exec(symbol) ?? []
    if (base !== undefined && quote !== undefined) return `${base}-${quote}`
  }
  return symbol.replace('.', '-')
}

/** Coins trade around the clock and know no `day` orders. */
export const alpacaTimeInForce = (ticker: string, timeInForce: string): string =>
  isCoin(ticker) && timeInForce !== 'ioc' ? 'gtc' : timeInForce
