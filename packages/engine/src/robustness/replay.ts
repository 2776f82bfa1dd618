import type { Column } from '@tradewright/core/column'
import { type AccountRun, runAccount } from '../backtest/account-run.ts'
import { cagr, simpleReturns } from '../performance/returns.ts'
import { type Figure, isAvailable } from '../performance/figure.ts'
import { sharpe } from '../performance/risk-adjusted-return.ts'
import { periodEnds } from '../trading/rebalance-calendar.ts'
import type { BoardMaterial, DecisionTape } from './material.ts'

/** What is different from the run itself. */
interface Variation {
  readonly tape?: DecisionTape
  readonly costBps?: number
  /** Multiplies the commission per order. */
  readonly costMultiple?: number
  /** Bars between a decision and its order, besides those of the fill timing; of a part of a bar, that part of each order is a bar late. */
  readonly delayBars?: number
  /** Begins here, with what the strategy held then. */
  readonly fromBar?: number
  /** Sessions by which every rebalance of the calendar comes later. */
  readonly rebalanceShift?: number
}

/** A replayed curve and its bars. */
export interface Replay {
  readonly fromBar: number
  readonly days: Int32Array
  readonly growth: Column
  readonly account: AccountRun
}

/** Trades the decisions once more. */
export function replay(material: BoardMaterial, variation: Variation = {}): Replay {
  const { conditions } = material
  const { settings, table } = conditions
  const { fromBar = 0, costMultiple = 1 } = variation
  const bars = { from: fromBar, to: table.prices.timestamps.length }
  const changed = {
    ...conditions,
    settings: {
      ...settings,
      cashflow: 0,
      tradingCostBps: variation.costBps ?? settings.tradingCostBps,
      commission: settings.commission * costMultiple,
    },
  }
  const account = runAccount(changed, table.prices, bars, {
    decide: decideByTape(variation.tape ?? material.tape, fromBar, variation.delayBars ?? 0),
    fillTiming: material.fillTiming,
    rebalance: material.rebalances,
    ...(variation.rebalanceShift && material.rebalances
      ? { rebalances: laterRebalances(material, variation.rebalanceShift, fromBar) }
      : {}),
  })
  return { fromBar, days: account.prices.days, growth: account.growth, account }
}

/** At the first bar, what was decided last before it; then each decision, so many bars late. */
function decideByTape(
  tape: DecisionTape,
  fromBar: number,
  delayBars: number,
): (bar: number) => Float64Array | undefined {
  if (!Number.isInteger(delayBars)) return decidePartlyLate(tape, fromBar, delayBars)
  const { decisions, weights } = tape
  return (bar) => {
    const asked = fromBar + bar - delayBars
    if (bar > 0) return asked < 0 || decisions[asked]! < 0 ? undefined : weights[decisions[asked]!]
    for (let earlier = asked; earlier >= 0; earlier--) {
      if (decisions[earlier]! >= 0) return weights[decisions[earlier]!]
    }
    return undefined
  }
}

/** Between two whole bars of delay: the share that is left of a bar comes with the later one. */
function decidePartlyLate(tape: DecisionTape, fromBar: number, delayBars: number) {
  const { decisions, weights } = tape
  const held = heldPlaces(tape)
  const whole = Math.floor(delayBars)
  const late = delayBars - whole
  const nothing = new Float64Array(weights[0]?.length ?? 0)
  const weightsAt = (bar: number) => weights[held[bar] ?? -1] ?? nothing
  return (bar: number): Float64Array | undefined => {
    const asked = fromBar + bar - whole
    const isDecided = [asked, asked - 1].some((one) => one >= 0 && decisions[one]! >= 0)
    if (bar > 0 ? !isDecided : (held[asked] ?? -1) < 0) return undefined
    const before = weightsAt(asked - 1)
    return weightsAt(asked).map((weight, i) => (1 - late) * weight + late * before[i]!)
  }
}

function laterRebalances({ conditions }: BoardMaterial, shift: number, fromBar: number): Uint8Array {
  const { settings, table } = conditions
  const ends = periodEnds(table.prices.days.subarray(fromBar), settings.rebalanceFrequency, table.sessionAfter)
  const later = new Uint8Array(ends.length)
  for (let bar = 0; bar + shift < ends.length; bar++) later[bar + shift] = ends[bar]!
  return later
}

export interface CurveFigures {
  readonly cagr: number | null
  readonly sharpe: number | null
}

const orNull = (figure: Figure): number | null => (isAvailable(figure) ? figure : null)

/** CAGR and Sharpe ratio of a curve that ends with the run and may begin later. */
export function figuresOf(
  material: BoardMaterial,
  { days, growth, fromBar }: Pick<Replay, 'days' | 'growth' | 'fromBar'>,
): CurveFigures {
  const riskFree = material.riskFree?.subarray(fromBar, fromBar + days.length - 1)
  return {
    cagr: orNull(cagr(growth.at(-1) ?? 1, days.at(-1)! - days[0]!)),
    sharpe: orNull(
      sharpe(simpleReturns(growth), {
        periodsPerYear: material.conditions.table.barsPerYear,
        ...(riskFree && { riskFree }),
      }),
    ),
  }
}

/** Weights held at all times. */
export const constantTape = (weights: Float64Array, bars: number): DecisionTape => ({
  decisions: Int32Array.from({ length: bars }, (_, bar) => (bar === 0 ? 0 : -1)),
  weights: [weights],
})

/** By bar: the place of the decision in force; -1 before the first one. */
export function heldPlaces({ decisions }: DecisionTape): Int32Array {
  const held = new Int32Array(decisions.length)
  let place = -1
  for (let bar = 0; bar < decisions.length; bar++) {
    if (decisions[bar]! >= 0) place = decisions[bar]!
    held[bar] = place
  }
  return held
}
