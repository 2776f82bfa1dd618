import { strategyTypeOf } from '@tradewright/core/strategy-kinds'
import { Problem } from '@tradewright/core/problem'
import type { Clock } from '@tradewright/core/clock'
import { backtestNameOf } from './backtest-run.ts'
import type { BacktestStore, SavingTransaction } from './ports.ts'
import { readReport } from './report.ts'
import type { SavedBacktest, SavedBacktestItem } from './saved-backtest.ts'

export interface BacktestReader {
  readonly backtests: BacktestStore
}

export async function findBacktest({ backtests }: BacktestReader, userId: number, id: number): Promise<SavedBacktest> {
  const found = (await backtests.find(userId, id)) ?? missing()
  const report = await readReport(found.report)
  // A run may have been named, and its strategy renamed, since.
  return { ...found, report: { ...report, run: { ...report.run, strategyName: found.strategyName } } }
}

interface Saving {
  readonly name: string
  readonly savesStrategy: boolean
  readonly savesBacktest: boolean
}

/** What the boxes of the form would have saved with the run. */
export async function saveBacktest(
  { saving, clock }: { readonly saving: SavingTransaction; readonly clock: Clock },
  userId: number,
  id: number,
  { name: strategyName, savesStrategy, savesBacktest }: Saving,
): Promise<SavedBacktestItem> {
  return saving(async ({ strategies, backtests }) => {
    const { report, config } = (await backtests.find(userId, id)) ?? missing()
    const { request } = report.run
    const strategy = { name: strategyName, type: strategyTypeOf(request.strategy.kind), config }
    const saved = savesStrategy ? await strategies.save(userId, strategy, clock.now()) : undefined
    const change = {
      name: backtestNameOf(strategyName, request),
      strategyName,
      ...(saved && { strategyId: saved.id }),
      ...(savesBacktest && { isSaved: true as const }),
    }
    return (await backtests.change(userId, id, change)) ?? missing()
  })
}

export async function renameBacktest(
  { backtests }: BacktestReader,
  userId: number,
  id: number,
  name: string,
): Promise<SavedBacktestItem> {
  return (await backtests.change(userId, id, { name })) ?? missing()
}

export async function removeBacktest({ backtests }: BacktestReader, userId: number, id: number): Promise<void> {
  if (!(await backtests.remove(userId, id))) missing()
}

export function missing(): never {
  throw new Problem('missing', 'backtest.missing', 'There is no such backtest.')
}
