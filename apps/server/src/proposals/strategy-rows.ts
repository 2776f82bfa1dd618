import { hasBlocks, isFixed, learns } from '@tradewright/core/strategy-kinds'
import { defaultModel, modelOf } from '@tradewright/core/model-catalogue'
import { plainLine } from '@tradewright/core/plain-line'
import { describeRules } from '@tradewright/core/rules/describe'
import { targetOf, featureName } from '@tradewright/engine/features/catalogue'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import type { AllocationRow } from '@tradewright/engine/trading/allocation'
import { createHash } from 'node:crypto'
import { heldTickers } from '../backtests/backtest-run.ts'
import { type Description, quoted } from './proposal.ts'

/** Characters of one row. A tree of rules may be longer. */
const MAX_LENGTH = 2_000

/** A strategy as it would run: whatever is not shown of it is part of `basis`. */
interface Proposed {
  readonly request: BacktestRequest
  readonly model: ModelChoice | undefined
  readonly provider: string
}

type Row = readonly [label: string, text: string]

/** All that a strategy may hold: what is not shown could be what matters, so a row that is cut short says so. */
export function strategyRows({
  request,
  model,
  provider,
}: Proposed): Pick<Description, 'changes' | 'notices' | 'basis'> {
  const { strategy, granularity, fillTiming } = request
  const rows: Row[] = [
    ...rowsOf(strategy, model),
    [
      'Prices',
      `${provider === 'auto' ? 'Of any provider' : `Of ${provider}`}, ${granularity}, filled at ${fillTiming}`,
    ],
  ]
  const cut = rows.filter(([, text]) => Array.from(text).length > MAX_LENGTH).map(([label]) => label)
  return {
    changes: rows.map(([label, text]) => ({ label, before: null, after: plainLine(text, MAX_LENGTH) })),
    basis: createHash('sha256')
      .update(JSON.stringify([request, model ?? null, provider]))
      .digest('base64url'),
    notices: cut.map((label) => `“${label}” is longer than can be shown here. Accept it only if you know the rest.`),
  }
}

function rowsOf(strategy: BacktestRequest['strategy'], model: ModelChoice | undefined): Row[] {
  if (isFixed(strategy)) return [['Holds', mixOf(strategy.allocation)]]
  if (hasBlocks(strategy)) {
    const { tree } = strategy
    return [
      ['May hold', [...new Set([...heldTickers(tree.root), tree.cash])].join(', ')],
      ['Rules', describeRules(tree, featureName).join(' ')],
    ]
  }
  if (learns(strategy)) {
    const { features, target, trainPct, walkForward } = strategy
    return [
      ['Model', modelRow(model)],
      ['Predicts', selectionText(targetOf(target.id).name, target.params)],
      ['From', features.map(({ id, params }) => selectionText(featureName(id), params)).join('; ')],
      [
        'Trained on',
        walkForward
          ? `${walkForward.trainPct}% windows, then used for ${walkForward.testPct}%, ` +
            (walkForward.stepPct === undefined ? 'in automatic steps' : `in steps of ${walkForward.stepPct}%`)
          : `the first ${trainPct}% of the rows`,
      ],
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

function modelRow(model: ModelChoice | undefined): string {
  const { label } = modelOf(model?.kind ?? defaultModel.kind)
  return model && 'settings' in model ? selectionText(label, { ...model.settings }) : label
}

/** Names everything that was chosen: a swapped ticker or window is another strategy. */
function selectionText(name: string, params: Readonly<Record<string, unknown>>): string {
  const chosen = Object.entries(params).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return chosen.length === 0 ? name : `${name} (${chosen.join(', ')})`
}

const mixOf = (rows: readonly AllocationRow[]): string =>
  rows.map(({ ticker, allocationPct }) => `${allocationPct}% ${ticker}`).join(', ') || 'Cash'
