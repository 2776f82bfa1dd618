import { defaultModel, modelOf } from '@tradewright/core/model-catalogue'
import { plainLine } from '@tradewright/core/plain-line'
import { describeRules } from '@tradewright/core/rules/describe'
import { featureName } from '@tradewright/engine/features/catalogue'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { ModelChoice } from '@tradewright/engine/models/model-choice'
import type { AllocationRow } from '@tradewright/engine/trading/allocation'
import { heldTickers } from '../backtests/backtest-run.ts'
import { type Description, quoted } from './proposal.ts'

/** Of one row. A tree of rules may be longer. */
const MAX_LENGTH = 2_000

type Row = readonly [label: string, text: string]

/** All that a strategy may hold: what is not shown could be what matters, so a row that is cut short says so. */
export function strategyRows(
  { strategy }: Pick<BacktestRequest, 'strategy'>,
  model: ModelChoice | undefined,
): Pick<Description, 'changes' | 'notices'> {
  const rows = rowsOf(strategy, model)
  const cut = rows.filter(([, text]) => Array.from(text).length > MAX_LENGTH).map(([label]) => label)
  return {
    changes: rows.map(([label, text]) => ({ label, before: null, after: plainLine(text, MAX_LENGTH) })),
    notices: cut.map((label) => `“${label}” is longer than can be shown here. Accept it only if you know the rest.`),
  }
}

function rowsOf(strategy: BacktestRequest['strategy'], model: ModelChoice | undefined): Row[] {
  if (strategy.kind === 'allocation') return [['Holds', mixOf(strategy.allocation)]]
  if (strategy.kind === 'rules') {
    const { tree } = strategy
    return [
      ['May hold', [...new Set([...heldTickers(tree.root), tree.cash])].join(', ')],
      ['Rules', describeRules(tree, featureName).join(' ')],
    ]
  }
  if (strategy.kind === 'ml') {
    const names = new Set(strategy.features.map(({ id }) => featureName(id)))
    return [
      ['Model', `${modelOf(model?.kind ?? defaultModel.kind).label} with ${[...names].join(', ')}`],
      ['Holds while it says buy', mixOf(strategy.buy)],
      ['Holds while it says sell', mixOf(strategy.sell)],
    ]
  }
  const { allocations, initial, maxWeightPct } = strategy
  return [
    ['Before the first signal', initial === null ? 'Cash' : quoted(initial)],
    ...allocations.map(({ name, rows }, i): Row => [`Signal ${i + 1}`, `${quoted(name)} holds ${mixOf(rows)}`]),
    ...(maxWeightPct === null
      ? []
      : [['Signals may set weights', `of the tickers above, up to ${maxWeightPct}% each`] as const]),
  ]
}

const mixOf = (rows: readonly AllocationRow[]): string =>
  rows.map(({ ticker, allocationPct }) => `${allocationPct}% ${ticker}`).join(', ') || 'Cash'
