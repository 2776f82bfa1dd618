import { Problem } from '@tradewright/core/problem'
import type { BacktestStore } from './ports.ts'
import { readReport } from './report.ts'
import type { SavedBacktest } from './saved-backtest.ts'

export interface BacktestReader {
  readonly backtests: BacktestStore
}

export async function findBacktest({ backtests }: BacktestReader, userId: number, id: number): Promise<SavedBacktest> {
  const found = (await backtests.find(userId, id)) ?? missing()
  return { ...found, report: await readReport(found.report) }
}

export async function removeBacktest({ backtests }: BacktestReader, userId: number, id: number): Promise<void> {
  if (!(await backtests.remove(userId, id))) missing()
}

function missing(): never {
  throw new Problem('missing', 'backtest.missing', 'There is no such backtest.')
}
