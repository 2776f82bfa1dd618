import { DAY, type EpochDay, epochDayOf, type UtcMillis } from '@tradewright/core/time'
import { stampAsNewYorkDay } from '../market/layers/stamps.ts'

/** An account's value at the end of a day, and its external flow since the day before. */
export interface AccountValue {
  readonly day: EpochDay
  /** The value after the flow. */
  readonly value: number
  readonly flow: number
  /** Each flow of the day times the fraction of the day it was in the account: all of it at the start, 0 at the end. */
  readonly invested: number
  /** `invested` if the flows of unknown time had come at the other end of the day. */
  readonly investedOtherwise: number
  /** False where a flow's time is unknown, or lies within the session: then the value at the flow is not known. */
  readonly isExact: boolean
}

interface ExternalFlow {
  readonly day: EpochDay
  readonly amount: number
  /** When the money came or went; undefined where the broker names the day alone. */
  readonly at?: UtcMillis | undefined
}

/** Columns of the same length, days ascending; null is a day without a value. */
interface EquityHistory {
  readonly days: readonly EpochDay[]
  readonly equity: readonly (number | null)[]
}

/** The sessions of the account's market. */
interface Sessions {
  readonly isSession: (day: EpochDay) => boolean
  readonly openOf: (day: EpochDay) => UtcMillis
  readonly closeOf: (day: EpochDay) => UtcMillis
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

interface Timing {
  /** The fraction of the day's return that the flow took part in. */
  readonly weight: number
  readonly otherWeight: number
  readonly isExact: boolean
}

const AT_START: Timing = { weight: 1, otherWeight: 1, isExact: true }
const AT_END: Timing = { weight: 0, otherWeight: 0, isExact: true }
/**
 * Flows of unknown time: money that arrives is taken to be invested that day, money that leaves to have been until the
 * end.
 */
const ARRIVED: Timing = { weight: 1, otherWeight: 0, isExact: false }
const LEFT: Timing = { weight: 0, otherWeight: 1, isExact: false }

/** Puts each flow on the first value that holds it; what came after the last value belongs to that one. */
export function placeFlows(history: EquityHistory, flows: readonly ExternalFlow[], sessions: Sessions): PlacedFlows {
  const valued = history.days.flatMap((day, i) => {
    const value = history.equity[i]
    return value === null || value === undefined || !Number.isFinite(value) ? [] : [{ day, value }]
  })
  const dayBounds = boundsOf(valued, sessions)
  const sums = valued.map(() => ({ flow: 0, invested: 0, investedOtherwise: 0, isExact: true }))
  let placement: FlowPlacement = 'exact'
  let next = 0
  for (const flow of withoutReversals(flows).sort((a, b) => a.day - b.day)) {
    while (next < valued.length - 1 && valued[next]!.day < flow.day) next++
    const at = valued[next]
    if (!at) break
    const { weight, otherWeight, isExact } = timingOf(flow, at.day, dayBounds)
    const sum = sums[next]!
    sum.flow += flow.amount
    sum.invested += weight * flow.amount
    sum.investedOtherwise += otherWeight * flow.amount
    sum.isExact &&= isExact
    // Before the first value nothing is missing: the account began with it. Markets rest on the other days.
    const isMissing = next > 0 && at.day > flow.day && sessions.isSession(flow.day)
    if (isMissing) placement = at.day - flow.day > NEAR_DAYS ? 'far' : worse(placement, 'near')
  }
  return { values: valued.map((one, i) => Object.assign(one, sums[i]!)), placement }
}

const worse = (a: FlowPlacement, b: FlowPlacement): FlowPlacement => (a === 'far' ? a : b)

type Bounds = (day: EpochDay) => { readonly open: UtcMillis; readonly close: UtcMillis }

/** An account with values on days without a session holds coins, which trade around the clock. */
function boundsOf(valued: readonly { day: EpochDay }[], { isSession, openOf, closeOf }: Sessions): Bounds {
  const isRoundTheClock = valued.some(({ day }) => !isSession(day))
  return (day) =>
    isRoundTheClock || !isSession(day)
      ? { open: day * DAY, close: (day + 1) * DAY }
      : { open: openOf(day), close: closeOf(day) }
}

function timingOf({ day, amount, at }: ExternalFlow, valueDay: EpochDay, boundsOfDay: Bounds): Timing {
  if (day < valueDay) return AT_START
  if (day > valueDay) return AT_END
  if (at === undefined || !isOnDay(at, day)) return amount > 0 ? ARRIVED : LEFT
  const { open, close } = boundsOfDay(day)
  if (at <= open) return AT_START
  if (at >= close) return AT_END
  const weight = (close - at) / (close - open)
  return { weight, otherWeight: weight, isExact: false }
}

/** Brokers book some flows days later: such an instant says nothing about the day that the flow counts for. */
const isOnDay = (at: UtcMillis, day: EpochDay): boolean =>
  epochDayOf(stampAsNewYorkDay(at)) === day || Math.floor(at / DAY) === day

/** A deposit and an equal withdrawal of the same day without times are a reversal: no money was invested. */
function withoutReversals(flows: readonly ExternalFlow[]): ExternalFlow[] {
  const kept: ExternalFlow[] = []
  for (const flow of flows) {
    const isReversal = (one: ExternalFlow) =>
      one.day === flow.day && one.amount === -flow.amount && one.at === flow.at && one.amount !== 0
    const reversed = kept.findIndex(isReversal)
    if (reversed >= 0) kept.splice(reversed, 1)
    else kept.push(flow)
  }
  return kept
}

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
