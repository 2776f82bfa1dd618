import { type EpochDay, epochDayOf } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { stampAsNewYorkDay } from '@tradewright/engine/market/layers/rows'
import {
  accountPerformance,
  type AccountPerformance,
  type AccountValue,
  placeFlows,
  type PlacedFlows,
  valuesOfPeriod,
} from '@tradewright/engine/performance/account-performance'
import { type Figure, notAvailable } from '@tradewright/engine/performance/figure'
import type { Period } from './period.ts'
import type { StoredFlow, StoredSnapshot, TakenSnapshot } from './ports.ts'
import { dayOfFigures } from './take-snapshot.ts'

interface DailyResult {
  readonly amount: Figure
  readonly percent: Figure
}

export interface AccountFigures {
  /** Every day of the period with a value, oldest first. */
  readonly values: readonly AccountValue[]
  readonly performance: AccountPerformance
  readonly cashFlows: number
  /** Since the account was opened, in percent of what was paid in. */
  readonly overallReturnPercent: Figure
  readonly daily: DailyResult
}

export function accountFigures(taken: TakenSnapshot, period: Period): AccountFigures {
  const { snapshot } = taken
  const flows = snapshot.flows ?? flowsOfHistory(snapshot)
  const placed = placedFlows(taken, flows ?? [])
  const cut = valuesOfPeriod(placed.values, period)
  const common = { placement: placed.placement, flowsAreExact: snapshot.flows !== null }
  const performance = accountPerformance({ ...cut, ...common })
  const whole = accountPerformance({ values: placed.values, beginsWithAccount: true, ...common })
  const [first, last] = [cut.values[0]?.day ?? 0, cut.values.at(-1)?.day ?? 0]
  return {
    values: cut.values,
    performance: flows ? performance : withoutFlows(performance),
    cashFlows: (flows ?? []).filter(({ day, amount }) => day > first && day <= last && amount !== 0).length,
    overallReturnPercent: overallReturn(Number(snapshot.account.equity), whole.netContributions),
    daily: dailyResult(taken, placed, flows ?? []),
  }
}

/** Days on which the broker's history itself tells a flow. */
function flowsOfHistory({ history }: StoredSnapshot): StoredFlow[] | undefined {
  const { flows, days } = history
  return flows?.flatMap((amount, i) => (amount === 0 ? [] : [{ day: days[i]!, amount }]))
}

const UNKNOWN_FLOWS = notAvailable('deposits and withdrawals could not be read')

const withoutFlows = (performance: AccountPerformance): AccountPerformance => ({
  ...performance,
  method: 'insufficient_data',
  rate: UNKNOWN_FLOWS,
  totalReturn: UNKNOWN_FLOWS,
  moneyWeighted: UNKNOWN_FLOWS,
  growth: performance.growth.map(() => Number.NaN),
})

/** The history, and the value of the moment on the day it stands for. */
function placedFlows({ snapshot, takenAt }: TakenSnapshot, flows: readonly StoredFlow[]): PlacedFlows {
  const { days, equity } = snapshot.history
  const today = dayOfFigures(newYorkDay(takenAt), (day) => nyse.isSession(day))
  const current = Math.max(today, days.at(-1) ?? today)
  const before = days.findLastIndex((day) => day < current) + 1
  return placeFlows(
    {
      days: [...days.slice(0, before), current],
      equity: [...equity.slice(0, before), Number(snapshot.account.equity)],
    },
    flows,
    nyse,
  )
}

function overallReturn(equity: number, netContributions: number): Figure {
  if (!(netContributions > 0)) return notAvailable('withdrawals exceed contributions')
  return (100 * (equity - netContributions)) / netContributions
}

/** Against the close before, without what was paid in or out today. */
function dailyResult(
  { snapshot, takenAt }: TakenSnapshot,
  { values }: PlacedFlows,
  flows: readonly StoredFlow[],
): DailyResult {
  const { lastEquity, equity } = snapshot.account
  const today = newYorkDay(takenAt)
  const paidToday = flows.filter(({ day }) => day >= today).reduce((sum, { amount }) => sum + amount, 0)
  const opened = paidToday > 0 ? 0 : undefined
  const before = lastEquity === null ? (values.at(-2)?.value ?? opened) : Number(lastEquity)
  if (before === undefined) {
    const nothing = notAvailable('the value at the previous close is not known')
    return { amount: nothing, percent: nothing }
  }
  const amount = Number(equity) - before - paidToday
  // Money that arrived before or during the day took part in its return.
  const base = before > 0 ? before + Math.max(0, values.at(-1)?.invested ?? 0) : paidToday
  const percent = base > 0 ? (100 * amount) / base : notAvailable('the account was empty at the previous close')
  return { amount, percent }
}

export const newYorkDay = (at: Date): EpochDay => epochDayOf(stampAsNewYorkDay(at.getTime()))
