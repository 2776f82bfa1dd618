import type { MarketData } from '@tradewright/engine/backtest/market-data'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { type Board, boardParts, joinBoard } from '@tradewright/engine/robustness/board'
import { shareMaterial } from '@tradewright/engine/robustness/material'
import { prepareBoard, type StoredSignals } from '@tradewright/engine/robustness/prepare'
import { Problem } from '@tradewright/core/problem'
import type { TaskContext } from '../../workers/task.ts'
import { digestsOf, type SeriesDigest } from '../passport/run-digest.ts'

interface BoardPayload {
  readonly request: BacktestRequest
  readonly data: MarketData
  /** What the model of the run predicted. */
  readonly signals: StoredSignals | undefined
  readonly seed: number
}

/** The part of the progress bar that is done when all decisions are known. */
const FRACTION_PREPARED = 0.2

/** A compute task: the whole board; its parts are shared with threads that have nothing else to do. */
export async function run(
  { request, data, signals, seed }: BoardPayload,
  context: TaskContext,
): Promise<{ board: Board; fingerprint: string; digests: SeriesDigest[] }> {
  let prepared = 0
  const { material, fingerprint } = prepareBoard(request, data, signals, seed, (note) => {
    stopIfCancelled(context)
    // How many pieces there are is not known beforehand.
    prepared += (FRACTION_PREPARED - prepared) / 10
    context.report(prepared, note)
  })
  const shared = shareMaterial(material)
  const parts = boardParts(shared, seed)
  const payloads = parts.map((part) => ({ material: shared, part }))
  const results = await context.share('backtests/robustness-part', payloads, (begun) => {
    stopIfCancelled(context)
    const fraction = FRACTION_PREPARED + ((1 - FRACTION_PREPARED) * (begun - 1)) / parts.length
    context.report(fraction, `Check ${begun} of ${parts.length}`)
  })
  return { board: joinBoard(shared, seed, parts, results), fingerprint, digests: digestsOf(data) }
}

function stopIfCancelled(context: TaskContext): void {
  if (context.isCancelled()) throw new Problem('conflict', 'robustness.cancelled', 'The checks were cancelled.')
}
