import type { Decimal } from '@tradewright/core/decimal'
import { isExplainedBySplit } from '@tradewright/engine/trading/ledger/compare'
import { recordNote } from '../record-note.ts'
import type { CycleDeps } from '../types.ts'
import type { BookedSplit } from './book-actions.ts'

type ConfirmDeps = Pick<CycleDeps, 'database' | 'deploymentLog' | 'clock' | 'notify' | 'log' | 'actor' | 'alert'> & {
  readonly signalService: Pick<CycleDeps['signalService'], 'splits'>
}

/** Brokers book a split some days after it took effect, or before the data have it. */
const DAYS_AROUND = 5

/**
 * Compares splits that were booked from the broker's activities with those that the market data know, and tells where they
 * contradict each other. Data that know none, or cannot be asked, say nothing.
 */
export async function confirmSplits(deps: ConfirmDeps, userId: number, splits: readonly BookedSplit[]): Promise<void> {
  for (const split of splits) {
    const known = await knownRatios(deps, userId, split)
    if (known.length === 0 || known.some((ratio) => isExplainedBySplit(split, ratio))) continue
    const deployment = await deps.database.deployments.byId(split.deploymentId)
    if (deployment) {
      const sentence = sentenceOf(split, known)
      await recordNote(deps, deployment, { code: 'split-contradicted', level: 'error', sentence })
    }
  }
}

async function knownRatios(
  { signalService, log }: ConfirmDeps,
  userId: number,
  { ticker, day }: BookedSplit,
): Promise<readonly Decimal[]> {
  try {
    return await signalService.splits(userId, ticker, day - DAYS_AROUND, day + DAYS_AROUND)
  } catch (error) {
    log.warn({ err: error, ticker }, 'a split could not be compared with the market data')
    return []
  }
}

const sentenceOf = ({ ticker, books, broker }: BookedSplit, known: readonly Decimal[]): string =>
  `The broker made ${String(broker)} of ${String(books)} ${ticker} in a split, but the market data say ` +
  `${known.map((ratio) => `${String(ratio)} for 1`).join(', ')}. The broker's shares are booked; the prices that signals ` +
  'are computed from may be wrong until the data are corrected.'
