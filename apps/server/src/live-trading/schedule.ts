import { isIntraday } from '@tradewright/core/granularity'
import { nextRun, type TradingSchedule } from '@tradewright/engine/live/schedule'
import type { TradingCalendar } from '@tradewright/engine/market/calendar/trading-calendar'
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
