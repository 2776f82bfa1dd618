import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf, type EpochDay, formatDate } from '@tradewright/core/time'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { planWarnings } from '@tradewright/engine/backtest/plan-warnings'
import { EARLIEST_DAY } from './market-data-for.ts'
import type { BacktestRun } from './backtest-run.ts'

/** Refuses what cannot work before anything is queued or fetched; answers what may not be meant, as sentences. */
export function validateRun({ request, asOf }: BacktestRun, clock: Clock): string[] {
  checkDates(request, clock)
  if (asOf !== undefined && asOf > clock.now().getTime()) {
    throw new Problem('invalid', 'backtest.as-of', 'The as-of time is in the future.')
  }
  return planWarnings(planBacktest(request))
}

export function checkDates({ from, to }: { from: EpochDay; to: EpochDay }, clock: Clock): void {
  // Somewhere it is already tomorrow.
  const latest = epochDayOf(clock.now().getTime()) + 1
  if (from < EARLIEST_DAY) throw tooEarly(from)
  refuseFuture('start', from, latest)
  refuseFuture('end', to, latest)
}

function refuseFuture(which: 'start' | 'end', day: EpochDay, latest: EpochDay): void {
  if (day <= latest) return
  throw new Problem('invalid', 'backtest.dates', `The ${which} date ${formatDate(day)} is in the future.`)
}

const tooEarly = (day: EpochDay) =>
  new Problem(
    'invalid',
    'backtest.dates',
    `The start date ${formatDate(day)} is too early: nothing before ${formatDate(EARLIEST_DAY)} can be simulated.`,
  )
