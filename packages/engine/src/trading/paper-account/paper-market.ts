import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { tickerKind } from '@tradewright/core/ticker-kind'
import type { EpochDay, UtcMillis } from '@tradewright/core/time'
import type { TradingCalendar } from '../../market/trading-calendar.ts'
import type { Quote } from '../simulated-broker/state.ts'

/** A session of a ticker in prices as they were traded, and what goes ex on its morning. */
export interface PaperBar {
  readonly day: EpochDay
  readonly open: Usd | undefined
  /** Undefined while the session runs: what goes ex is known from its morning on. */
  readonly close: Usd | undefined
  readonly dividend: Usd | undefined
  /** New shares per old share. */
  readonly split: Decimal | undefined
}

/** The market as it is known when an account is settled. */
export interface PaperMarket {
  readonly calendar: TradingCalendar
  /** Ascending, by ticker. */
  readonly bars: ReadonlyMap<string, readonly PaperBar[]>
  /** The newest price of a ticker. */
  readonly latest: Quote
  /** Whether that is of the running session; it always counts as one where this is absent. */
  readonly isOfSession?: (ticker: string) => boolean
  /** The first price of the running session, where minutes of it are known. */
  readonly sessionOpen?: Quote
  /** Half the spread of a ticker, as a share of its price; none where it is absent. */
  readonly halfSpread?: (ticker: string) => number
  /** How much of a ticker has changed hands since the minute before an instant; undefined where that is not known. */
  readonly volumeSince?: (ticker: string, since: UtcMillis) => number | undefined
}

/** Coins trade around the clock; everything else follows the exchange. */
export const isAroundTheClock = (ticker: string): boolean => tickerKind(ticker) === 'crypto'

export const barOf = ({ bars }: PaperMarket, ticker: string, day: EpochDay): PaperBar | undefined =>
  bars.get(ticker)?.find((bar) => bar.day === day)

/** The price of an exchange's opening or close; coins have none. */
export const auctionQuote =
  (market: PaperMarket, day: EpochDay, auction: 'open' | 'close'): Quote =>
  (ticker) =>
    isAroundTheClock(ticker) ? undefined : barOf(market, ticker, day)?.[auction]

/** The value at the end of a day: its close, else the last one before, else what is known now. */
export const closingQuote =
  (market: PaperMarket, day: EpochDay): Quote =>
  (ticker) =>
    market.bars.get(ticker)?.findLast((bar) => bar.day <= day && bar.close)?.close ?? market.latest(ticker)
