import type { GenerationEntry, IndividualDetails } from '@tradewright/contract/optimization-run'
import type { ChosenFeature, Performance } from '@tradewright/contract/optimization-results'
import { planFeature } from '@tradewright/engine/features/catalogue'
import { keyOf } from '@tradewright/engine/optimizer/request'
import type { Scores } from '@tradewright/engine/optimizer/score'
import { averageFitness, bestFitness, type Member } from '@tradewright/engine/optimizer/search'
import type { Candidate, OptimizationRun, StoredGeneration } from '../../optimizer/run.ts'
import { targetToWire } from './wire.ts'

/** Individuals that a whole history tells of; a larger run tells of the best of each generation. */
const MAX_TOLD = 4000
const MIN_PER_GENERATION = 10

export const featureToWire = ({ id, key, name, label, params }: Candidate): ChosenFeature => ({
  id,
  type: key,
  name,
  label,
  params: { ...params },
})

export const performanceToWire = ({ accuracy, f1, sharpe, cagr }: Scores): Performance => ({
  accuracy,
  f1_score: f1,
  sharpe,
  cagr,
})

/** The history of a run; `whole` tells of every individual, whatever the size. */
export function historyToWire(
  run: OptimizationRun,
  generations: readonly StoredGeneration[],
  { whole }: { whole: boolean },
): GenerationEntry[] {
  const { populationSize, generations: planned } = run.settings.request.breeding
  const most = whole ? populationSize : Math.max(MIN_PER_GENERATION, Math.floor(MAX_TOLD / planned))
  const told = individualToWire(run)
  return generations.map((generation) => ({
    generation: generation.number,
    best_fitness: bestFitness(generation),
    avg_fitness: averageFitness(generation),
    best_features_count: generation.members[0]!.genes.length,
    diversity: generation.diversity,
    population_details: generation.members.slice(0, most).map(told),
    population_size: generation.members.length,
    new_evaluations: generation.newEvaluations,
  }))
}

function individualToWire({
  settings,
  candidates,
}: OptimizationRun): (member: Member, place: number) => IndividualDetails {
  const { targets, seedFeatures } = settings.request
  const features = candidates.map(featureToWire)
  const labels = targets.map((target) => targetToWire(target).target_label)
  const seeds = seedKeys(candidates, seedFeatures, targets.length)
  return (member, place) => ({
    rank: place + 1,
    fitness: member.evaluation.fitness,
    target_label: labels[member.target]!,
    target_asset: targets[member.target]!.asset,
    performance: performanceToWire(member.evaluation),
    features: member.genes.map((gene) => features[gene]!),
    is_seed: seeds.has(keyOf(member)),
  })
}

/** The individual that the seed features make, for each target. */
function seedKeys(
  candidates: readonly Candidate[],
  seedFeatures: OptimizationRun['settings']['request']['seedFeatures'],
  targets: number,
): Set<string> {
  if (seedFeatures.length === 0) return new Set()
  const labels = new Set(seedFeatures.map((seed) => planFeature(seed).label))
  const genes = candidates.flatMap(({ label }, gene) => (labels.has(label) ? [gene] : []))
  return new Set(Array.from({ length: targets }, (_, target) => keyOf({ target, genes })))
}
