import type { Column } from '@tradewright/core/column'
import { formatDate, DAY, type EpochDay, epochDayOf, type UtcMillis } from '@tradewright/core/time'
import { cagr, moneyWeightedReturn } from './returns.ts'
import { type Figure, finiteOr, isAvailable, mapFigure, notAvailable } from './figure.ts'
import { stampAsNewYorkDay } from '../market/layers/rows.ts'

type ReturnMethod =
  | 'daily_returns_compounded'
  | 'true_time_weighted_return'
  | 'simple_return'
  | 'simple_return_no_cash_flows'
  | 'simple_return_short_period'
  | 'insufficient_data'

export interface AccountPerformance {
  readonly method: ReturnMethod
  /** Over the whole period. */
  readonly totalReturn: Figure
  /** Told as a yearly rate where `isAnnualised`, else the same as the total return. */
  readonly rate: Figure
  readonly moneyWeighted: Figure
  readonly isAnnualised: boolean
  /** The same if large flows of unknown time had come at the other end of their day; undefined where there are none. */
  readonly otherReading: OtherReading | undefined
  /** One unit at the start, without the flows; one entry per value, NaN from where it cannot be told. */
  readonly growth: Column
  readonly subPeriods: number
  readonly cashFlows: number
  readonly netContributions: number
}

interface OtherReading {
  /** Days with flows of unknown time that are large beside the account. */
  readonly days: number
  readonly totalReturn: Figure
  readonly rate: Figure
}

export interface PerformanceInput {
  readonly values: readonly AccountValue[]
  /** The first value is the opening of the account, so its flow paid for it. */
  readonly beginsWithAccount: boolean
  readonly placement: FlowPlacement
  /** Flows on the values come from activities, each by itself, and not from sums per day. */
  readonly flowsAreExact: boolean
}

/** Performance of less than a year is never stated as a yearly rate (GIPS 2.A.12). */
const YEAR_DAYS = 365

/** An opening deposit explains the first value when it is about as large. */
const EXPLAINED = 0.2

/** Flows of unknown time beyond this part of the account move its return so much that both readings are reported. */
const LARGE_FLOW = 0.1

/**
 * The return of an account without its external flows (time-weighted), and the investor's own (money-weighted), with
 * the method that the values allowed. A flow takes part in its day's return for the fraction of the day that it was in
 * the account (modified Dietz within the day): growth = (value - flow + invested) / (value before + invested).
 */
export function accountPerformance(input: PerformanceInput): AccountPerformance {
  const { values } = input
  const [first, last] = [values[0], values.at(-1)]
  if (!first || !last) return withoutValues('there are no account values in this period')
  const opening = openingOf(input)
  const later = values.slice(1)
  const flows = later.filter(({ flow }) => flow !== 0)
  const contributed = flows.reduce((sum, { flow }) => sum + flow, input.beginsWithAccount ? opening : 0)
  const counts = { subPeriods: flows.length + 1, cashFlows: flows.length, netContributions: contributed }
  const linked = linkedGrowth(opening, values)
  const isSimple = input.placement === 'far' && flows.length > 0
  const total = isSimple ? simpleReturn(opening, values) : totalOf(linked, values)
  const days = last.day - first.day
  if (days === 0 || !isAvailable(total)) {
    const because = isAvailable(total) ? notAvailable('there is only one day with a value in this period') : total
    return { ...withoutValues(because.notAvailable), ...counts, growth: linked.growth }
  }
  const isAnnualised = days >= YEAR_DAYS
  const rateOf = (figure: Figure) => (isAnnualised ? mapFigure(figure, (value) => cagr(1 + value, days)) : figure)
  return {
    method: methodOf(input, flows, isAnnualised),
    totalReturn: total,
    rate: rateOf(total),
    moneyWeighted: moneyWeighted(opening, values),
    isAnnualised,
    otherReading: isSimple ? undefined : otherReading(opening, values, rateOf),
    growth: linked.growth,
    ...counts,
  }
}

function withoutValues(because: string): AccountPerformance {
  const nothing = notAvailable(because)
  return {
    method: 'insufficient_data',
    totalReturn: nothing,
    rate: nothing,
    moneyWeighted: nothing,
    isAnnualised: false,
    otherReading: undefined,
    growth: new Float64Array(),
    subPeriods: 0,
    cashFlows: 0,
    netContributions: 0,
  }
}

function methodOf(
  { placement, flowsAreExact }: PerformanceInput,
  flows: readonly AccountValue[],
  isLong: boolean,
): ReturnMethod {
  if (!isLong) return 'simple_return_short_period'
  if (flows.length === 0) return 'simple_return_no_cash_flows'
  if (placement === 'far') return 'simple_return'
  const isCutExactly = placement === 'exact' && flowsAreExact && flows.every(({ isExact }) => isExact)
  return isCutExactly ? 'true_time_weighted_return' : 'daily_returns_compounded'
}

function otherReading(
  opening: number,
  values: readonly AccountValue[],
  rateOf: (total: Figure) => Figure,
): OtherReading | undefined {
  const isUncertain = ({ invested, investedOtherwise }: AccountValue, i: number) =>
    i > 0 && Math.abs(invested - investedOtherwise) > LARGE_FLOW * values[i - 1]!.value && values[i - 1]!.value > 0
  const days = values.filter(isUncertain).length
  if (days === 0) return undefined
  const otherwise = values.map((one, i) => (isUncertain(one, i) ? { ...one, invested: one.investedOtherwise } : one))
  const totalReturn = totalOf(linkedGrowth(opening, otherwise), values)
  return { days, totalReturn, rate: rateOf(totalReturn) }
}

/**
 * The opening value of the period: the first deposit where it explains the first value, so that the first day counts,
 * too.
 */
function openingOf({ values, beginsWithAccount }: PerformanceInput): number {
  const { value, flow } = values[0]!
  const isExplained = flow > 0 && Math.abs(value - flow) <= EXPLAINED * flow
  return beginsWithAccount && isExplained ? flow : value
}

interface Linked {
  readonly growth: Column
  readonly broken: string | undefined
}

/** Growth from stretch to stretch. While an account is empty nothing grows; what refills it starts a new stretch. */
function linkedGrowth(opening: number, values: readonly AccountValue[]): Linked {
  const growth = new Float64Array(values.length).fill(Number.NaN)
  let product = 1
  let before = opening
  for (const [i, { day, value, flow, invested }] of values.entries()) {
    const isWhole = i === 0 || before === 0
    // Money that left before the day began can exceed what was there: then nothing took part in the day's return.
    const took = before + invested > 0 ? invested : 0
    const base = before === 0 ? flow : i === 0 ? before : before + took
    const reached = isWhole ? value : value - flow + took
    if (base < 0 || reached < 0 || value < 0) {
      return { growth, broken: `the account was below zero on ${formatDate(day)}` }
    }
    if (base > 0) product *= reached / base
    growth[i] = product
    before = value
  }
  return { growth, broken: undefined }
}

function totalOf({ growth, broken }: Linked, values: readonly AccountValue[]): Figure {
  if (broken !== undefined) return notAvailable(broken)
  if (values.every(({ value }) => value === 0)) return notAvailable('the account was always empty')
  return finiteOr(growth.at(-1)! - 1, 'the values cannot be compared')
}

/** Gain over everything that was put in. */
function simpleReturn(opening: number, values: readonly AccountValue[]): Figure {
  const later = values.slice(1)
  const invested = later.reduce((sum, { flow }) => sum + Math.max(0, flow), opening)
  const gain = later.reduce((sum, { flow }) => sum - flow, values.at(-1)!.value - opening)
  return invested > 0
    ? finiteOr(gain / invested, 'the values cannot be compared')
    : notAvailable('nothing was invested')
}

function moneyWeighted(opening: number, values: readonly AccountValue[]): Figure {
  const [first, last] = [values[0]!, values.at(-1)!]
  const between = values.slice(1).filter(({ flow }) => flow !== 0)
  return moneyWeightedReturn([
    { day: first.day, amount: -opening },
    ...between.map(({ day, flow }) => ({ day, amount: -flow })),
    { day: last.day, amount: last.value },
  ])
}

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
type FlowPlacement = 'exact' | 'near' | 'far'

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
