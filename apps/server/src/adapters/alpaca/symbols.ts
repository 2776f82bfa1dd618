import { Decimal } from '@tradewright/core/decimal'
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

const OPTION = /^[A-Z]{1,6}\d{6}[CP]\d{8}$/

/** How many shares a price is for: an option's is per share of the 100 that its contract is about. */
export const contractSize = (symbol: string): Decimal => (OPTION.test(symbol) ? HUNDRED : ONE)

const ONE = Decimal.parse('1')
const HUNDRED = Decimal.parse('100')

/** Coins trade around the clock and know no `day` orders. */
export const alpacaTimeInForce = (ticker: string, timeInForce: string): string =>
  isCoin(ticker) && timeInForce !== 'ioc' ? 'gtc' : timeInForce
