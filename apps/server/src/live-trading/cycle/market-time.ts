import type { Clock } from '@tradewright/core/clock'
import type { Note } from '@tradewright/core/note'
import { epochDayOf, MINUTE } from '@tradewright/core/time'
import { brokerCalendar } from '@tradewright/engine/live/broker-calendar'
import { nyse, type TradingCalendar } from '@tradewright/engine/market/trading-calendar'
import { isMarketOpen } from '@tradewright/engine/trading/market-hours'
import type { Broker } from '@tradewright/engine/trading/broker'
import type { Logger } from '../../log.ts'

export interface MarketTime {
  readonly now: Date
  readonly isOpen: boolean
  readonly calendar: TradingCalendar
  /** How far this machine's clock is behind the broker's, in milliseconds. */
  readonly skew: number
  /** When the skew is another than before. */
  readonly news: Note | undefined
}

/** The broker's calendar, read this far ahead, is good for a day. */
const CALENDAR_DAYS = 14
/** Answers take their time; less than this is not skew. */
const TOLERATED_SKEW = 2_000

interface Known {
  readonly day: number
  readonly calendar: TradingCalendar
}

/** The broker's time; that of our own clock and calendar while it cannot be asked. */
export class MarketTimes {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #calendars = new Map<number, Known>()
  readonly #skews = new Map<number, { skew: number; at: number }>()

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock
    this.#log = log
  }

  /** Estimates the broker's time without a call: good enough to see whether something is due. */
  estimate(accountId: number): Date {
    return new Date(this.#clock.now().getTime() + (this.#skews.get(accountId)?.skew ?? 0))
  }

  calendarOf(accountId: number): TradingCalendar {
    return this.#calendars.get(accountId)?.calendar ?? nyse
  }

  async ask(broker: Broker, accountId: number): Promise<MarketTime> {
    const calendar = await this.#calendar(broker, accountId)
    const own = this.#clock.now().getTime()
    try {
      const { now, isOpen } = await broker.clock()
      const difference = now - this.#clock.now().getTime()
      const skew = Math.abs(difference) > TOLERATED_SKEW ? difference : 0
      const news = this.#skewNews(accountId, skew)
      this.#skews.set(accountId, { skew, at: own })
      return { now: new Date(this.#clock.now().getTime() + skew), isOpen, calendar, skew, news }
    } catch (error) {
      this.#log.warn({ err: error, accountId }, 'the clock of the broker is not available; using our own calendar')
      const now = this.estimate(accountId)
      return { now, isOpen: isMarketOpen(calendar, now.getTime()), calendar, skew: 0, news: undefined }
    }
  }

  #skewNews(accountId: number, skew: number): Note | undefined {
    const before = this.#skews.get(accountId)?.skew ?? 0
    if (Math.abs(skew - before) < MINUTE / 2) return undefined
    this.#log.warn({ accountId, skew }, "this machine's clock differs from the broker's; the broker's is used")
    const seconds = Math.round(Math.abs(skew) / 1_000)
    const sentence =
      seconds === 0
        ? "This machine's clock agrees with the broker's again."
        : `This machine's clock is ${seconds} seconds ${skew > 0 ? 'behind' : 'ahead of'} the broker's; the broker's is used.`
    return { code: 'clock-skew', level: 'warning', sentence }
  }

  async #calendar(broker: Broker, accountId: number): Promise<TradingCalendar> {
    const today = epochDayOf(this.#clock.now().getTime())
    const known = this.#calendars.get(accountId)
    if (known?.day === today) return known.calendar
    try {
      const [from, last] = [today - 1, today + CALENDAR_DAYS]
      const calendar = brokerCalendar(await broker.sessions(from, last), from, last)
      this.#calendars.set(accountId, { day: today, calendar })
      return calendar
    } catch (error) {
      this.#log.warn({ err: error, accountId }, 'the calendar of the broker is not available; using our own')
      return known?.calendar ?? nyse
    }
  }
}
