import { type Figure, notAvailable } from './figure.ts'

/** What an account was worth when something was paid in or out, or at the end. */
export interface Valuation {
  /** After the flow. */
  readonly value: number
  /** Deposits, withdrawals, journals: money that came from or went outside. Dividends, interest, fees are inside. */
  readonly flow: number
}

/**
 * `end-of-period`: the flow came after the period's growth, r = (value - flow) / before - 1.
 * `start-of-period`: it took part in the growth, r = value / (before + flow) - 1.
 */
export type FlowTiming = 'end-of-period' | 'start-of-period'

/** Growth linked over the stretches between flows, so that the size and time of the flows do not matter. */
export function timeWeightedReturn(valuations: readonly Valuation[], timing: FlowTiming = 'end-of-period'): Figure {
  if (valuations.length < 2) return notAvailable('it needs a value at the start and one at the end')
  let growth = 1
  for (let i = 1; i < valuations.length; i++) {
    const before = valuations[i - 1]!.value
    const { value, flow } = valuations[i]!
    const base = timing === 'end-of-period' ? before : before + flow
    const reached = timing === 'end-of-period' ? value - flow : value
    if (!(base > 0)) return notAvailable('the account was empty in between')
    growth *= reached / base
  }
  return growth - 1
}
