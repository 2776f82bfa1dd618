import type { EndedTickerChoice } from '@tradewright/core/backtest-settings'
import type { Granularity } from '@tradewright/core/granularity'
import type { EpochDay } from '@tradewright/core/time'
import type { Selection } from '../features/catalogue.ts'
import type { ModelChoice } from '../models/settings.ts'
import type { WindowPercentages } from '../models/splits.ts'
import type { AllocationRow } from '../trading/allocation.ts'
import type { FitnessRules } from './score.ts'

/** A prediction target, and the assets whose features may be used for it. */
export interface SearchTarget {
  readonly asset: string
  /** The target's selection, with the asset as its ticker. */
  readonly selection: Selection
  readonly relatedAssets: readonly string[]
}

export type ParameterChoices = Readonly<Record<string, readonly (number | string)[]>>

/** A kind of feature with the values that its parameters may take; what is not named has its default. */
export interface FeatureRange {
  readonly feature: number | string
  readonly choices: ParameterChoices
}

interface BreedingRules {
  readonly populationSize: number
  readonly generations: number
  /** From 0 to 1: how likely each feature of a child is to change. */
  readonly mutationRate: number
  readonly maxFeatures: number
}

export interface EarlyStopping {
  /** In generations. */
  readonly patience: number
  readonly minImprovement: number
}

/** Everything that a run is made of: the same request on the same data finds the same winner. */
export interface SearchRequest {
  /** First and last session date, both included. */
  readonly from: EpochDay
  readonly to: EpochDay
  readonly granularity: Granularity
  readonly seed: number
  readonly targets: readonly SearchTarget[]
  readonly features: readonly FeatureRange[]
  /** For window-like parameters that have no choices of their own; empty: their defaults. */
  readonly windowSizes: readonly number[]
  readonly seedFeatures: readonly Selection[]
  /** Held while the signal is 1; no rows: all of it in the target's own asset. */
  readonly buy: readonly AllocationRow[]
  /** Held while it is 0; no rows: cash. */
  readonly sell: readonly AllocationRow[]
  readonly model: ModelChoice
  /** First part of the rows, in percent; not used with walk-forward. */
  readonly trainPct: number
  readonly walkForward: WindowPercentages | undefined
  /** Real and synthetic prices may be traded by one strategy. */
  readonly allowMixedPrices: boolean
  /** What becomes of a traded ticker whose prices end before those of the others. */
  readonly endedTicker: EndedTickerChoice
  readonly replacementTicker: string | undefined
  /** Percent off its last price that it is worth then; absent: 0. */
  readonly delistingReturnPct?: number
  readonly fitness: FitnessRules
  readonly breeding: BreedingRules
  readonly earlyStopping: EarlyStopping | undefined
  /** The last part of the data, in percent, which no generation sees. */
  readonly holdOutPct: number
  /** In place of the percent: the first day that no generation sees. */
  readonly holdOutFrom?: EpochDay
  /** How often the whole search is repeated on the data before a window, whose trades are then stitched; 0: never. */
  readonly nestedWindows?: number
}

/** Limits of one run: a typing error must not keep a machine busy for a week. */
export const searchLimits = {
  populationSize: { min: 2, max: 500 },
  generations: { min: 1, max: 200 },
  maxFeatures: { min: 1, max: 50 },
  candidates: { min: 1, max: 4096 },
  targets: { min: 1, max: 20 },
  nestedWindows: { min: 2, max: 12 },
} as const

/** Evaluations that all searches of a run with nested windows may make together: as many as one search may. */
export const MAX_EVALUATIONS = searchLimits.populationSize.max * searchLimits.generations.max

/** The most individuals that a run may have to train: its own search, and one before each nested window. */
export const maxEvaluations = ({ breeding, nestedWindows = 0 }: SearchRequest): number =>
  breeding.populationSize * breeding.generations * (1 + nestedWindows)

/** One way to predict one target: a set of features. Genes are numbers of candidates, ascending, each once. */
export interface Individual {
  readonly target: number
  readonly genes: readonly number[]
}

export const individualOf = (target: number, genes: Iterable<number>): Individual => ({
  target,
  genes: [...new Set(genes)].sort((a, b) => a - b),
})

/** Equal individuals have equal keys, and no others. */
export const keyOf = ({ target, genes }: Individual): string => `${target}:${genes.join(',')}`

/** Mean share of features in which two individuals differ (Jaccard), from 0 to 1. Another target is wholly different. */
export function diversityOf(population: readonly Individual[]): number {
  if (population.length < 2) return 0
  let sum = 0
  let pairs = 0
  for (let a = 0; a < population.length; a++) {
    for (let b = a + 1; b < population.length; b++) {
      sum += distance(population[a]!, population[b]!)
      pairs++
    }
  }
  return sum / pairs
}

function distance(a: Individual, b: Individual): number {
  if (a.target !== b.target) return 1
  const shared = sharedGenes(a.genes, b.genes)
  return 1 - shared / (a.genes.length + b.genes.length - shared)
}

/** Both are ascending; a population is over a thousand pairs, so nothing is made for a pair. */
function sharedGenes(a: readonly number[], b: readonly number[]): number {
  let shared = 0
  for (let i = 0, k = 0; i < a.length && k < b.length;) {
    if (a[i] === b[k]) shared++
    if (a[i]! <= b[k]!) i++
    else k++
  }
  return shared
}
