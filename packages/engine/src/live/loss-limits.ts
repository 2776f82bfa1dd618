/** Both in percent; undefined is no limit. */
export interface LossLimits {
  readonly maxDailyLossPct: number | undefined
  readonly maxDrawdownPct: number | undefined
}

export interface GrowthSoFar {
  /** Growth of one dollar, without flows. */
  readonly now: number
  /** At the start of the session. */
  readonly sessionStart: number
  readonly highest: number
}

/** The limit that is broken, as a sentence; undefined when none is. */
export function brokenLimit({ now, sessionStart, highest }: GrowthSoFar, limits: LossLimits): string | undefined {
  const daily = lossPct(now, sessionStart)
  if (limits.maxDailyLossPct !== undefined && daily > limits.maxDailyLossPct) {
    return `The loss of the day is ${daily.toFixed(2)} %, more than the allowed ${limits.maxDailyLossPct} %.`
  }
  const drawdown = lossPct(now, highest)
  if (limits.maxDrawdownPct !== undefined && drawdown > limits.maxDrawdownPct) {
    return `The drawdown is ${drawdown.toFixed(2)} %, more than the allowed ${limits.maxDrawdownPct} %.`
  }
  return undefined
}

const lossPct = (now: number, before: number): number => (before > 0 ? Math.max(0, (1 - now / before) * 100) : 0)

/** One dollar after another stretch: flows that came in between count as there from its start. */
export function grown(growth: number, valueBefore: number, valueAfter: number, flow: number): number {
  const base = valueBefore + flow
  return base > 0 ? growth * Math.max(0, valueAfter / base) : growth
}
