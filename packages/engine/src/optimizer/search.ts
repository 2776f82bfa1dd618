import { mean } from '../performance/moments.ts'
import { type Breeder, firstGeneration, nextGeneration } from './breeding.ts'
import type { Evaluation } from './evaluate.ts'
import { diversityOf, type Individual, keyOf } from './individual.ts'
import type { PreparedSearch } from './prepare.ts'
import type { SearchPlan } from './plan.ts'
import type { EarlyStopping } from './request.ts'

export interface Member extends Individual {
  readonly evaluation: Evaluation
}

/** A generation that is complete: the checkpoint of a run. Plain data. */
export interface Generation {
  /** From 1. */
  readonly number: number
  /** Best first. */
  readonly members: readonly Member[]
  readonly diversity: number
  /** Individuals that had not been evaluated before. */
  readonly newEvaluations: number
}

type Evaluations = ReadonlyMap<string, Evaluation>

export const bestFitness = ({ members }: Generation): number => members[0]!.evaluation.fitness

export const averageFitness = ({ members }: Generation): number =>
  mean(members.map(({ evaluation }) => evaluation.fitness))

/** Candidates without a column are not bred; seeds lose them. */
export function breederOf({ request, candidates, seeds }: SearchPlan, { searches }: PreparedSearch): Breeder {
  const { populationSize, maxFeatures, mutationRate } = request.breeding
  const own = searches.map(({ genes }) => Array.from(genes))
  return {
    seed: request.seed,
    populationSize,
    maxFeatures,
    mutationRate,
    candidates: own,
    families: candidates.map(({ definition }) => definition.id),
    seeds: seeds
      .map(({ target, genes }) => ({ target, genes: genes.filter((gene) => own[target]!.includes(gene)) }))
      .filter(({ genes }) => genes.length > 0),
  }
}

/** The individuals of a generation, from the one before it; the first needs none. */
export function populationOf(breeder: Breeder, previous: Generation | undefined): Individual[] {
  return previous ? nextGeneration(breeder, previous.number + 1, previous.members.map(bare)) : firstGeneration(breeder)
}

const bare = ({ target, genes }: Individual): Individual => ({ target, genes })

/** Everything that was found out so far, by individual. */
export function knownEvaluations(history: readonly Generation[]): Map<string, Evaluation> {
  return new Map(history.flatMap(({ members }) => members.map((member) => [keyOf(member), member.evaluation] as const)))
}

/** Individuals not evaluated yet, each once. */
export function unknownIndividuals(population: readonly Individual[], known: Evaluations): Individual[] {
  const wanted = new Map(population.map((individual) => [keyOf(individual), individual]))
  return [...wanted].filter(([key]) => !known.has(key)).map(([, individual]) => individual)
}

export function completeGeneration(
  number: number,
  population: readonly Individual[],
  known: Evaluations,
  newEvaluations: number,
): Generation {
  const members = population.map((individual) => ({ ...bare(individual), evaluation: known.get(keyOf(individual))! }))
  return { number, members: members.sort(byRank), diversity: diversityOf(population), newEvaluations }
}

/**
 * The fitter goes first, and the simpler of equally fit ones; the rest of the order only has to be the same everywhere.
 */
function byRank(a: Member, b: Member): number {
  const difference = b.evaluation.fitness - a.evaluation.fitness
  if (difference !== 0) return difference
  if (a.genes.length !== b.genes.length) return a.genes.length - b.genes.length
  return keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0
}

/** Whether the best has not become better by enough for so many generations. */
export function hasStalled(history: readonly Generation[], rules: EarlyStopping | undefined): boolean {
  if (!rules || history.length <= rules.patience) return false
  const now = bestFitness(history.at(-1)!)
  const before = bestFitness(history.at(-1 - rules.patience)!)
  return now - before < rules.minImprovement
}

/** The best individual ever, and the first generation that had it. */
export function winnerOf(history: readonly Generation[]): { member: Member; generation: number } {
  const [first, ...later] = history
  let best = { member: first!.members[0]!, generation: first!.number }
  for (const { members, number } of later) {
    if (byRank(members[0]!, best.member) < 0) best = { member: members[0]!, generation: number }
  }
  return best
}
