import type { MarketData } from '@tradewright/engine/backtest/market-data'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { type BoardPart, boardParts } from '@tradewright/engine/robustness/board'
import { type BoardMaterial, shareMaterial } from '@tradewright/engine/robustness/material'
import { prepareBoard, type StoredSignals } from '@tradewright/engine/robustness/prepare'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import { serialize } from 'node:v8'
import type { TaskContext } from '../../workers/task.ts'
import { digestsOf, type SeriesDigest } from '../passport/run-digest.ts'
import { stopIfCancelled } from './parts-task.ts'

interface PreparePayload {
  readonly request: BacktestRequest
  readonly data: MarketData
  /** What the model of the run predicted. */
  readonly signals: StoredSignals | undefined
  readonly seed: number
  /** The model of a strategy that learns; undefined for others. */
  readonly model: ModelChoice | undefined
  /** Whether other processes shall help. */
  readonly isPacked: boolean
}

export interface PreparedBoard {
  readonly material: BoardMaterial
  readonly parts: readonly BoardPart[]
  /** The material as bytes that give the same columns to the last bit; undefined where only this process computes. */
  readonly packed: Uint8Array | undefined
  readonly fingerprint: string
  readonly digests: readonly SeriesDigest[]
}

/** A compute task: prices and decisions of the run, and of its neighbours, that all checks read. */
export function run(
  { request, data, signals, seed, model, isPacked }: PreparePayload,
  context: TaskContext,
): PreparedBoard {
  let prepared = 0
  const reached = (note: string) => {
    stopIfCancelled(context)
    // How many pieces there are is not known beforehand.
    prepared += (1 - prepared) / 10
    context.reportProgress(prepared, note)
  }
  const { material, fingerprint } = prepareBoard(request, data, signals, seed, reached, model)
  return {
    material: shareMaterial(material),
    parts: boardParts(material, seed),
    packed: isPacked ? serialize(material) : undefined,
    fingerprint,
    digests: digestsOf(data),
  }
}
