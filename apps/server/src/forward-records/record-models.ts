import { epochDayOf, MINUTE } from '@tradewright/core/time'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { dataChoiceOf, type RunnableStrategy } from '../live-trading/deployment.ts'
import type { LiveDeps } from '../live-trading/deps.ts'
import { hasWalkForward } from '../live-trading/retraining/recipe.ts'
import type { ForwardRecord, RecordModel } from './ports.ts'

type Deps = Pick<LiveDeps, 'database' | 'signalService' | 'signal'>

/** A bar that should be there and is not is looked for again after this long. */
const RECHECK_MS = 15 * MINUTE

interface Training {
  readonly record: ForwardRecord
  readonly strategy: RunnableStrategy
  readonly request: BacktestRequest
  readonly now: Date
}

/**
 * The models that decide now and next, oldest first: of the walk-forward windows of the backtest, which go on, or one that
 * was trained on all that was known when the record began. A model is trained once and kept, as those of deployments are:
 * corrected data does not change it, and neither does a process that dies.
 */
export async function currentModels(deps: Deps, training: Training): Promise<RecordModel[]> {
  const { record, strategy, now } = training
  if (!strategy.model) return []
  const { records } = deps.database
  const kept = await records.models(record.id)
  const newest = kept.at(-1)
  if (newest && (newest.nextAt === null || newest.nextAt > now)) return kept
  const trained = hasWalkForward(strategy) ? await nextWindow(deps, training, newest) : await onlyModel(deps, training)
  if (trained) await records.keepModel(record.id, trained)
  // Another process may have been faster: its model is the one that counts.
  return records.models(record.id)
}

/** Undefined while it is not due. */
async function nextWindow(
  { database, signalService, signal }: Deps,
  { record, strategy, request, now }: Training,
  newest: RecordModel | undefined,
): Promise<RecordModel | undefined> {
  const at = now.getTime()
  const { model, nextAt } = await signalService.retrain(
    {
      userId: record.userId,
      ...dataChoiceOf(strategy),
      choice: strategy.model!,
      request,
      refit: {
        sizedTo: strategy.request.to,
        sizedOnRows: newest?.sizedOnRows ?? undefined,
        newest: newest?.window,
        at,
      },
    },
    signal,
  )
  if (!model) {
    const later = new Date(Math.max(nextAt, at + RECHECK_MS))
    if (newest) await database.records.postponeModel(record.id, newest.window, later)
    return undefined
  }
  const { number: window, sizedOnRows, after } = model.window
  const { bytes, checksum } = model
  return { window, sizedOnRows, after: new Date(after), bytes, checksum, nextAt: new Date(nextAt) }
}

async function onlyModel(
  { signalService, signal }: Deps,
  { record, strategy, request }: Training,
): Promise<RecordModel> {
  const { bytes, checksum } = await signalService.train(
    {
      userId: record.userId,
      ...dataChoiceOf(strategy),
      choice: strategy.model!,
      request: { ...request, to: epochDayOf(record.createdAt.getTime()) },
      training: { mode: 'full_range' },
    },
    signal,
  )
  return { window: 0, sizedOnRows: null, after: null, bytes, checksum, nextAt: null }
}
