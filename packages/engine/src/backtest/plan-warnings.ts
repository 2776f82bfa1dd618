import { isFixed, learns } from '@tradewright/core/strategy-kinds'
import { isIntraday } from '@tradewright/core/granularity'
import { nyse } from '../market/trading-calendar.ts'
import { type Allocation, investedPct } from '../trading/allocation.ts'
import { type BacktestPlan, type MlPlan, namedAllocations } from './plan.ts'

/** Settings that are allowed but may not be meant, as sentences to be read before the run. */
export function planWarnings(plan: BacktestPlan): string[] {
  const { strategy, settings } = plan
  const warnings = namedAllocations(strategy).flatMap(([name, allocation]) => sumWarning(name, allocation))
  if (learns(strategy)) warnings.push(...mlWarnings(plan, strategy))
  if (!isFixed(strategy) && settings.fillTiming === 'same_close') {
    warnings.push('Filling at the same close that the decision is based on is optimistic.')
  }
  return warnings
}

function sumWarning(name: string, allocation: Allocation): string[] {
  const sum = Math.round(investedPct(allocation) * 100) / 100
  if (sum === 100 || allocation.size === 0) return []
  return [`The ${name} adds up to ${sum}%: the ${sum < 100 ? 'rest stays in cash' : 'excess is borrowed'}.`]
}

function mlWarnings({ settings, tradedTickers }: BacktestPlan, { features, target, horizon }: MlPlan): string[] {
  const warnings: string[] = []
  if (!tradedTickers.includes(target.ticker)) {
    warnings.push(`The target looks at ${target.ticker}, which neither Buy nor Sell holds.`)
  }
  const sessions = nyse.sessionsBetween(settings.from, settings.to + 1).length
  const bars = isIntraday(settings.granularity) ? sessions * nyse.barsPerSession(settings.granularity) : sessions
  for (const { label, definition, values } of features) {
    const warmUp = definition.warmUp(values)
    if (warmUp >= bars) warnings.push(`${label} needs ${warmUp} bars to warm up, and the range has ${bars}.`)
  }
  warnings.push(...repeatedFeatures(features), ...ownMoves(features, target, horizon))
  if (horizon * 10 > bars) warnings.push(`A target ${horizon} bars ahead leaves little to learn from ${bars} bars.`)
  return warnings
}

function repeatedFeatures(features: MlPlan['features']): string[] {
  const labels = features.map(({ label }) => label)
  const repeated = new Set(labels.filter((label, i) => labels.indexOf(label) !== i))
  return [...repeated].map((label) => `${label} is chosen more than once; the repetition adds nothing.`)
}

/** For each target, the features that measure before the decision what it measures after it. */
const SAME_MEASURE: Readonly<Record<string, readonly string[]>> = {
  next_bar_direction: ['percent_change', 'log_return', 'momentum'],
  n_bar_direction: ['percent_change', 'log_return', 'momentum'],
  return_above_threshold: ['percent_change', 'log_return', 'momentum'],
  volatility_regime: ['volatility'],
}

/** A feature that equals the target but for the time: with overlapping labels its rows look better than they are. */
function ownMoves(features: MlPlan['features'], target: MlPlan['target'], horizon: number): string[] {
  const measured = SAME_MEASURE[target.definition.key] ?? []
  return features
    .filter(
      ({ definition, values, ticker }) =>
        ticker === target.ticker && measured.includes(definition.key) && values.number('window') === horizon,
    )
    .map(({ label }) => `${label} is the target itself, only ${horizon === 1 ? 'one bar' : `${horizon} bars`} late.`)
}
