import type { Note } from '@tradewright/core/note'

/** Both in percent; undefined is no limit. */
interface LossLimits {
  readonly maxDailyLossPct: number | undefined
  readonly maxDrawdownPct: number | undefined
}

interface GrowthSoFar {
  /** Growth of one dollar, without flows. */
  readonly now: number
  /** The growth at the start of the session. */
  readonly sessionStart: number
  readonly highest: number
}

export type BrokenLimit = Note<'limit.daily-loss' | 'limit.drawdown'>

/** The limit that is broken; undefined when none is. */
export function brokenLimit({ now, sessionStart, highest }: GrowthSoFar, limits: LossLimits): BrokenLimit | undefined {
  const daily = lossPct(now, sessionStart)
  if (limits.maxDailyLossPct !== undefined && daily > limits.maxDailyLossPct) {
    const sentence = `The loss of the day is ${daily.toFixed(2)}%, more than the allowed ${limits.maxDailyLossPct}%.`
    return { code: 'limit.daily-loss', level: 'error', sentence }
  }
  const drawdown = lossPct(now, highest)
  if (limits.maxDrawdownPct !== undefined && drawdown > limits.maxDrawdownPct) {
    const sentence = `The drawdown is ${drawdown.toFixed(2)}%, more than the allowed ${limits.maxDrawdownPct}%.`
    return { code: 'limit.drawdown', level: 'error', sentence }
  }
  return undefined
}

const lossPct = (now: number, before: number): number => (before > 0 ? Math.max(0, (1 - now / before) * 100) : 0)

/** One dollar after another stretch: flows that came in between count as there from its start. */
export function grown(growth: number, valueBefore: number, valueAfter: number, flow: number): number {
  const base = valueBefore + flow
  return base > 0 ? growth * Math.max(0, valueAfter / base) : growth
}
