import { type Evaluation, evaluate, type EvaluationRules } from './evaluate.ts'
import { type Individual, keyOf } from './individual.ts'
import type { SearchPlan } from './plan.ts'
import type { PreparedSearch } from './prepare.ts'
import {
  breederOf,
  completeGeneration,
  type Generation,
  hasStalled,
  knownEvaluations,
  populationOf,
  unknownIndividuals,
} from './search.ts'

/** Enough trials for the probability of overfitting. */
const MAX_BLOCKS = 2000

export function rulesOf({ request: { seed, model, fitness, breeding } }: Pick<SearchPlan, 'request'>): EvaluationRules {
  const most = breeding.populationSize * breeding.generations
  return { seed, model, fitness, keepBlocksOf: Math.ceil(most / MAX_BLOCKS) }
}

interface SearchSteps {
  /** Generations that are complete already, from the first on. */
  readonly history?: readonly Generation[]
  /** In the order of the individuals, on whatever threads or machines. */
  readonly evaluateAll: (individuals: readonly Individual[]) => Promise<readonly Evaluation[]>
  /** Each generation as it is complete, one after the other. The next one is evaluated meanwhile. */
  readonly onGeneration?: (generation: Generation) => Promise<void>
}

/** Generation after generation until the end, or until nothing gets better. Goes on where `history` ends. */
export async function runSearch(plan: SearchPlan, prepared: PreparedSearch, steps: SearchSteps): Promise<Generation[]> {
  const { request } = plan
  const breeder = breederOf(plan, prepared)
  const history = [...(steps.history ?? [])]
  const known = knownEvaluations(history)
  let keeping: Promise<void> | undefined
  while (history.length < request.breeding.generations && !hasStalled(history, request.earlyStopping)) {
    const population = populationOf(breeder, history.at(-1))
    const unknown = unknownIndividuals(population, known)
    const [evaluations] = await Promise.all([steps.evaluateAll(unknown), keeping])
    unknown.forEach((individual, i) => known.set(keyOf(individual), evaluations[i]!))
    const generation = completeGeneration(history.length + 1, population, known, unknown.length)
    history.push(generation)
    keeping = steps.onGeneration?.(generation)
  }
  await keeping
  return history
}

/** One after the other, on this thread. */
export function evaluateHere(
  plan: SearchPlan,
  { searches }: PreparedSearch,
  individuals: readonly Individual[],
  isCancelled?: () => boolean,
): Evaluation[] {
  return individuals.map((individual) => evaluate(searches[individual.target]!, rulesOf(plan), individual, isCancelled))
}
