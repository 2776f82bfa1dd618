import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf, type EpochDay, formatDate } from '@tradewright/core/time'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { planWarnings } from '@tradewright/engine/backtest/plan-warnings'
import { EARLIEST_DAY } from './market-data-for.ts'
import type { BacktestOrder } from './order.ts'

/** Refuses what cannot work before anything is queued or fetched; answers what may not be meant, as sentences. */
export function checkOrder({ request }: BacktestOrder, clock: Clock): string[] {
  // Somewhere it is already tomorrow.
  const latest = epochDayOf(clock.now().getTime()) + 1
  if (request.from < EARLIEST_DAY) throw tooEarly(request.from)
  refuseFuture('start', request.from, latest)
  refuseFuture('end', request.to, latest)
  return planWarnings(planBacktest(request))
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
