import { SignalBounds } from '@tradewright/contract/external-signals'
import { parseSignals } from '@tradewright/core/external-signal'
import type { ExternalStrategy } from '@tradewright/engine/backtest/request'
import { invalidField, jsonField } from '../input/form-values.ts'
import { sentenceFor } from '../input/sentence.ts'

/** The JSON of a list of allocations, and the signals of a file. Their meaning is checked by the plan. */
export function externalStrategy(bounds: string | undefined, signals: string | undefined): ExternalStrategy {
  if (bounds === undefined || bounds.trim() === '') throw invalidField('Add an allocation: a signal names one of them.')
  const parsed = SignalBounds.safeParse(jsonField('The external signal', bounds))
  if (!parsed.success) throw invalidField(sentenceFor(parsed.error))
  const { allocations, initial, max_weight_pct: maxWeightPct } = parsed.data
  return {
    kind: 'external',
    allocations: allocations.map(({ name, rows }) => ({
      name,
      rows: rows.map(({ ticker, allocation }) => ({ ticker, allocationPct: allocation })),
    })),
    initial,
    maxWeightPct,
    signals: signals === undefined || signals.trim() === '' ? [] : parseSignals(signals),
  }
}

export const externalToWire = ({ allocations, initial, maxWeightPct }: ExternalStrategy): SignalBounds => ({
  allocations: allocations.map(({ name, rows }) => ({
    name,
    rows: rows.map(({ ticker, allocationPct }) => ({ ticker, allocation: allocationPct })),
  })),
  initial,
  max_weight_pct: maxWeightPct,
})
