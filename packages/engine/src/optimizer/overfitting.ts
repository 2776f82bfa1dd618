import { deflatedSharpe, luckySharpe, type Trials } from '../performance/deflated-sharpe.ts'
import { type Figure, isAvailable, notAvailable } from '../performance/figure.ts'
import { sampleDeviation } from '../performance/moments.ts'
import { type BlockSums, overfittingOfBlocks } from '../performance/overfitting-probability.ts'
import type { TrackRecord } from '../performance/probabilistic-sharpe.ts'
import type { Evaluation } from './evaluate.ts'
import { type Generation, knownEvaluations, type Member } from './search.ts'
import type { WinnerDetails } from './winner.ts'

/** Comparing more than this many says nothing new and takes seconds. */
const MAX_COMPARED = 200

export interface DeflatedWinner {
  readonly probability: Figure
  readonly trials: number
  /** Per bar, of returns minus those of holding: of the winner, and of the best of that many worthless trials. */
  readonly sharpePerBar: number | undefined
  readonly luckySharpePerBar: number
}

/**
 * Everything that was tried counts: the winner is the best of all of them. Two questions, and the lower answer: does it beat holding
 * the buy allocation, because what an asset earns by itself is no merit of the features; and is its timing more than
 * chance, because any time out of an asset that falls beats holding it.
 */
export function deflatedWinner(
  history: readonly Generation[],
  { activeRecord, timingRecord }: Pick<WinnerDetails, 'activeRecord' | 'timingRecord'>,
): DeflatedWinner {
  const evaluations = [...knownEvaluations(history).values()]
  const active = trialsOf(evaluations, ({ activeSharpePerBar }) => activeSharpePerBar)
  const timing = trialsOf(evaluations, (one) => one.timingSharpePerBar ?? one.activeSharpePerBar)
  const beats = confidenceOf(activeRecord, active, 'it never held anything but the buy allocation')
  const times = confidenceOf(timingRecord, timing, 'it never changed its position')
  return {
    probability: isAvailable(beats) && isAvailable(times) ? Math.min(beats, times) : isAvailable(beats) ? times : beats,
    trials: active.count,
    sharpePerBar: activeRecord?.sharpePerPeriod,
    luckySharpePerBar: luckySharpe(active),
  }
}

function trialsOf(evaluations: readonly Evaluation[], sharpeOf: (one: Evaluation) => number | null): Trials {
  const sharpes = evaluations.map((one) => sharpeOf(one) ?? 0)
  return { count: sharpes.length, sharpeDeviation: sharpes.length < 2 ? 0 : sampleDeviation(sharpes) }
}

const confidenceOf = (record: TrackRecord | undefined, trials: Trials, why: string): Figure =>
  record ? deflatedSharpe(record, trials) : notAvailable(why)

export interface Overfitting {
  readonly probability: Figure
  /** The number of trials that were compared. */
  readonly trials: number
}

/** Trials of the winner's own target, since only those have the same bars; where there are many, an even choice. */
export function overfitting(history: readonly Generation[], winner: Member): Overfitting {
  const own = history.flatMap(({ members }) => members.filter(({ target }) => target === winner.target))
  const distinct = new Map(own.map((member) => [member.genes.join(','), member.evaluation]))
  const blocks = [...distinct.values()].map(blocksOf).filter((one) => one !== null)
  const compared = evenly(blocks, MAX_COMPARED)
  if (blocks.length === 0) return { probability: notAvailable('the test windows are too short'), trials: 0 }
  return { probability: overfittingOfBlocks(compared), trials: compared.length }
}

const blocksOf = ({ blocks }: Evaluation): BlockSums | null => blocks

function evenly<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items]
  return Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)]!)
}
