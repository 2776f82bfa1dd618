import type { BacktestResult } from '@tradewright/contract/backtest-result'

/** Why a figure is not there, as a sentence; null where the server does not say. */
export function reasonOf({ figure_notes }: Pick<BacktestResult, 'figure_notes'>, path: string): string | null {
  const note = figure_notes[path]
  return note ? `Not available because ${note}` : null
}
