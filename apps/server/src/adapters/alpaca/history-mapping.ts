import { Decimal } from '@tradewright/core/decimal'
import { type EpochDay, epochDayOf, SECOND } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { stampAsNewYorkDay, stampAsUtcDay, type StampRule } from '@tradewright/engine/market/layers/rows'
import { type EquityDay, isExternalFlow } from '@tradewright/engine/trading/account-activity'
import type { AlpacaHistory } from './schema.ts'

/** Ascending, one value per day, from the first day on which there was any money. */
export function toEquityDays({ timestamp, equity, cashflow }: AlpacaHistory): EquityDay[] {
  const flows = Object.entries(cashflow).filter(([type]) => isExternalFlow({ type }))
  const days = daysOf(timestamp)
  const byDay = new Map<EpochDay, EquityDay>()
  for (const [i, day] of days.entries()) {
    const value = equity[i] ?? undefined
    const flow = flows.reduce((sum, [, amounts]) => sum + (amounts[i] ?? 0), 0)
    byDay.set(day, {
      day,
      equity: value === undefined ? undefined : Decimal.fromNumber(value),
      externalFlow: flows.length === 0 ? undefined : Decimal.fromNumber(flow),
    })
  }
  const ascending = [...byDay.values()].sort((a, b) => a.day - b.day)
  const opened = ascending.findIndex((one) => one.equity !== undefined && !one.equity.isZero)
  return opened < 0 ? [] : ascending.slice(opened)
}

/**
 * A day is stamped with some instant of its New York date, usually eight in the evening, which is midnight in UTC in
 * summer. Some servers stamp the UTC midnight that a date begins with; then only that reading falls on sessions.
 */
function daysOf(seconds: readonly number[]): EpochDay[] {
  const read = (rule: StampRule) => seconds.map((second) => epochDayOf(rule(second * SECOND)))
  const [inNewYork, inUtc] = [read(stampAsNewYorkDay), read(stampAsUtcDay)]
  return sessionsAmong(inUtc) > sessionsAmong(inNewYork) ? inUtc : inNewYork
}

const sessionsAmong = (days: readonly EpochDay[]): number => days.filter((day) => nyse.isSession(day)).length
