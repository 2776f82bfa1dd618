import { type Deployment, TRADING_DAYS } from '@tradewright/contract/live-trading-fields'
import { formatNumber } from '../../lib/format.ts'

const WEEKDAYS = TRADING_DAYS.slice(0, 5)
const DEFAULT_MINUTES = 60

/** The list repeats three settings inside the mapping, and cards read them there first. */
export function frequencyText(deployment: Deployment): string {
  const { ticker_mapping: listed } = deployment
  const type = listed['trading_frequency_type'] ?? deployment.trading_frequency_type
  if (type !== 'end_of_day') return `Every ${deployment.check_frequency_minutes || DEFAULT_MINUTES} minutes`
  const minutes = Number(listed['end_of_day_minutes_before_close'] ?? deployment.end_of_day_minutes_before_close)
  return `End-of-day, ${minutes} minutes before close`
}

export function modeText(deployment: Deployment): string {
  const isAlways = deployment.ticker_mapping['bypass_market_hours'] ?? deployment.bypass_market_hours
  return isAlways === true ? '24/7 Trading' : 'Market Hours Only'
}

/** An empty list reads as weekdays. */
export function daysText(days: readonly string[]): string {
  const chosen = TRADING_DAYS.filter((day) => days.includes(day))
  if (chosen.length === TRADING_DAYS.length) return 'Every day'
  const isWeekdays = chosen.length === 0 || (chosen.length === 5 && WEEKDAYS.every((day) => chosen.includes(day)))
  return isWeekdays ? 'Weekdays only' : chosen.map((day) => day.slice(0, 3)).join(', ')
}

/** A number that already is a percent: `36.9%`. */
export const percentText = (percent: number | null | undefined) =>
  formatNumber(percent, { decimals: 2, minDecimals: 0, suffix: '%' })

export const isDaily = ({ config }: Deployment): boolean => config.data_granularity === 'daily'

/** An edit accepts 24/7 for a strategy on daily bars; its schedule keeps the exchange's days and hours all the same. */
export const hasUnkeptHours = (deployment: Deployment): boolean =>
  isDaily(deployment) && modeText(deployment) === '24/7 Trading'

export const UNKEPT_HOURS = 'Daily bars: checked on business days, in market hours'
