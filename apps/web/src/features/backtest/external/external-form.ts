import type { SignalBounds } from '@tradewright/contract/external-signals'
import { nextKey, toRows } from '../../../strategy-form/tickers/allocation-rows.ts'
import { isGiven, type NumberText } from '../../../strategy-form/form-values.ts'
import { leveragedTicker } from '../../../strategy-form/tickers/leverage.ts'
import type { TickerRow } from '../../../strategy-form/tickers/ticker-row.ts'
import { readNumber, readRecord, readRows, readText } from '../form/read-saved-config.ts'

interface NamedRows {
  key: number
  name: string
  rows: TickerRow[]
}

/** What signals from outside may ask for, and the signals of a backtest. */
export interface ExternalForm {
  allocations: NamedRows[]
  /** Held before the first signal; empty: cash. */
  initial: string
  takesWeights: boolean
  maxWeightPct: NumberText
  /** The text of a file with signals; empty: those that the saved strategy of this name received. */
  csv: string
  fileName: string
}

export const newExternal: ExternalForm = {
  allocations: [
    { key: 0, name: 'risk-on', rows: toRows([{ ticker: 'SPY', allocation: 100 }]) },
    { key: 1, name: 'risk-off', rows: toRows([{ ticker: 'TBILLX', allocation: 100 }]) },
  ],
  initial: 'risk-off',
  takesWeights: false,
  maxWeightPct: 100,
  csv: '',
  fileName: '',
}

export const addAllocation = ({ allocations }: ExternalForm): NamedRows[] => [
  ...allocations,
  {
    key: nextKey(allocations),
    name: `target-${allocations.length + 1}`,
    rows: toRows([{ ticker: '', allocation: 100 }]),
  },
]

/** In the words of the contract; numbers that cannot be read are refused by the server, by name. */
export const toBounds = ({ allocations, initial, takesWeights, maxWeightPct }: ExternalForm): SignalBounds => ({
  allocations: allocations.map(({ name, rows }) => ({
    name: name.trim(),
    rows: rows
      .filter(({ ticker }) => ticker.trim() !== '')
      .map(({ ticker, leverage, allocation }) => ({
        ticker: leveragedTicker(ticker, leverage),
        allocation: isGiven(allocation) ? Number(allocation) : 0,
      })),
  })),
  initial: initial === '' ? null : initial,
  max_weight_pct: takesWeights ? Number(maxWeightPct) : null,
})

/** Undefined where there is none, or one that this form cannot show. */
export function readExternal(value: unknown): ExternalForm | undefined {
  const saved = readRecord(value)
  if (!Array.isArray(saved['allocations'])) return undefined
  const allocations = saved['allocations'].map((one: unknown, key) => {
    const { name, rows } = readRecord(one)
    return { key, name: readText(name) ?? '', rows: toRows(readRows(rows) ?? []) }
  })
  const max = readNumber(saved['max_weight_pct'])
  return {
    ...newExternal,
    allocations,
    initial: readText(saved['initial']) ?? '',
    takesWeights: max !== undefined,
    maxWeightPct: max ?? 100,
  }
}
