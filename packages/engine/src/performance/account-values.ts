import type { EpochDay } from '@tradewright/core/time'

/** What an account was worth at the end of a day, and what came from or went outside since the day before. */
export interface AccountValue {
  readonly day: EpochDay
  /** After the flow. */
  readonly value: number
  readonly flow: number
}

export interface ExternalFlow {
  readonly day: EpochDay
  readonly amount: number
}

/** Columns of the same length, days ascending; null is a day without a value. */
export interface EquityHistory {
  readonly days: readonly EpochDay[]
  readonly equity: readonly (number | null)[]
}

/**
 * How well flows sit on values: `exact` where each day with a flow has a value, `near` where one follows within a week,
 * `far` where it does not.
 */
export type FlowPlacement = 'exact' | 'near' | 'far'

export interface PlacedFlows {
  readonly values: readonly AccountValue[]
  readonly placement: FlowPlacement
}

const NEAR_DAYS = 7

/** Puts each flow on the first value that holds it; what came after the last value belongs to that one. */
export function placeFlows(
  { days, equity }: EquityHistory,
  flows: readonly ExternalFlow[],
  isSession: (day: EpochDay) => boolean,
): PlacedFlows {
  const valued = days.flatMap((day, i) => {
    const value = equity[i]
    return value === null || value === undefined || !Number.isFinite(value) ? [] : [{ day, value }]
  })
  const flowAt = new Float64Array(valued.length)
  let placement: FlowPlacement = 'exact'
  let next = 0
  for (const { day, amount } of [...flows].sort((a, b) => a.day - b.day)) {
    while (next < valued.length - 1 && valued[next]!.day < day) next++
    const at = valued[next]
    if (!at) break
    flowAt[next] = flowAt[next]! + amount
    // Before the first value nothing is missing: the account began with it. Markets rest on the other days.
    const isMissing = next > 0 && at.day > day && isSession(day)
    if (isMissing) placement = at.day - day > NEAR_DAYS ? 'far' : worse(placement, 'near')
  }
  return { values: valued.map(({ day, value }, i) => ({ day, value, flow: flowAt[i]! })), placement }
}

const worse = (a: FlowPlacement, b: FlowPlacement): FlowPlacement => (a === 'far' ? a : b)

/** From the last value at or before `from` (the first one there is, if the account is younger) to the last one of `to`. */
export function valuesOfPeriod(
  values: readonly AccountValue[],
  { from, to }: { from: EpochDay; to: EpochDay },
): { readonly values: readonly AccountValue[]; readonly beginsWithAccount: boolean } {
  const before = values.findLastIndex(({ day }) => day <= from)
  const beginsWithAccount = before <= 0 && !(values[0] && values[0].day < from)
  const inside = values.slice(Math.max(0, before)).filter(({ day }) => day <= to)
  return { values: inside, beginsWithAccount }
}
