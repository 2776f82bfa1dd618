import type { HeldOrder } from '@tradewright/engine/live/held-orders'
import { MINUTE } from '@tradewright/core/time'
import { isIntraday } from '@tradewright/core/granularity'
import { nextRun, runsOutAt, type TradingSchedule } from '@tradewright/engine/live/schedule'
import type { TradingCalendar } from '@tradewright/engine/market/trading-calendar'
import { type Deployment, WEEKDAYS, type Weekday } from './deployment.ts'

const NUMBERS: Readonly<Record<Weekday, number>> = {
  Sunday: 0,
  Monday: 1,
  Tuesday: 2,
  Wednesday: 3,
  Thursday: 4,
  Friday: 5,
  Saturday: 6,
}

/** A daily strategy runs on business days only, whatever the form says about hours. */
export function scheduleOf({ settings, strategy }: Pick<Deployment, 'settings' | 'strategy'>): TradingSchedule {
  const days = settings.tradingDays.length === 0 ? WEEKDAYS : settings.tradingDays
  return {
    frequency:
      settings.frequencyType === 'end_of_day'
        ? { type: 'end_of_day', minutesBeforeClose: settings.minutesBeforeClose }
        : { type: 'continuous', everyMinutes: settings.checkFrequencyMinutes },
    weekdays: new Set(days.map((day) => NUMBERS[day])),
    aroundTheClock: settings.bypassMarketHours && isIntraday(strategy.request.granularity),
  }
}

/** When it decides again; null where its schedule has no further instant. */
export function nextRunOf(
  deployment: Deployment,
  { now, calendar }: { readonly now: Date; readonly calendar: TradingCalendar },
): Date | null {
  const next = nextRun(scheduleOf(deployment), now.getTime(), calendar)
  return next === undefined ? null : new Date(next)
}

/** After a run that was missed: the one whose time it is, or the next. */
export function runAfterMissed(
  deployment: Deployment,
  time: { readonly now: Date; readonly calendar: TradingCalendar },
): Date | null {
  const { frequency } = scheduleOf(deployment)
  if (frequency.type !== 'end_of_day') return nextRunOf(deployment, time)
  return nextRunOf(deployment, { ...time, now: new Date(time.now.getTime() - frequency.minutesBeforeClose * MINUTE) })
}

/** A halt that ends is noticed no sooner. */
const HALT_PAUSE = 5 * MINUTE

/**
 * When a run that lacks something is tried again within its time: when an order may be sent again, or a halt may be over.
 * Undefined where its time is over by then, or its user is asked.
 */
export function retryOf(
  deployment: Pick<Deployment, 'settings' | 'strategy'>,
  { waitsFor = [], held = [] }: { readonly waitsFor?: readonly string[]; readonly held?: readonly HeldOrder[] },
  time: { readonly now: Date; readonly scheduledFor: Date; readonly calendar: TradingCalendar },
): Date | undefined {
  const now = time.now.getTime()
  const isHeld = (ticker: string) => held.some((one) => one.ticker === ticker)
  const halts = waitsFor.some((ticker) => !isHeld(ticker)) ? [now + HALT_PAUSE] : []
  const waits = held.flatMap(({ until }) => (until !== null && until > now ? until : []))
  const first = Math.min(...waits, ...halts)
  return first < runsOutAt(scheduleOf(deployment), time.scheduledFor.getTime(), time.calendar)
    ? new Date(first)
    : undefined
}

export const earlier = (a: Date | null, b: Date | undefined): Date | null => (b && (a === null || b < a) ? b : a)
