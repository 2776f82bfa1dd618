import type { TradingSchedule } from '@tradewright/engine/live/schedule'
import { isIntraday } from '@tradewright/core/granularity'
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
