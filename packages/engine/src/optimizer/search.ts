import { deriveSeed, Random } from '@tradewright/core/random'
import { mean } from '../performance/statistics.ts'
import { type Evaluation, evaluate, type EvaluationRules } from './evaluate.ts'
import { diversityOf, type Individual, keyOf, individualOf, type EarlyStopping } from './request.ts'
import type { PreparedSearch } from './prepare.ts'
import type { SearchPlan } from './plan.ts'

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
function breederOf({ request, candidates, seeds }: SearchPlan, { searches }: PreparedSearch): Breeder {
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
function populationOf(breeder: Breeder, previous: Generation | undefined): Individual[] {
  return previous ? nextGeneration(breeder, previous.number + 1, previous.members.map(bare)) : firstGeneration(breeder)
}

const bare = ({ target, genes }: Individual): Individual => ({ target, genes })

/** Everything that was found out so far, by individual. */
export function knownEvaluations(history: readonly Generation[]): Map<string, Evaluation> {
  return new Map(history.flatMap(({ members }) => members.map((member) => [keyOf(member), member.evaluation] as const)))
}

/** Individuals not evaluated yet, each once. */
function unknownIndividuals(population: readonly Individual[], known: Evaluations): Individual[] {
  const wanted = new Map(population.map((individual) => [keyOf(individual), individual]))
  return [...wanted].filter(([key]) => !known.has(key)).map(([, individual]) => individual)
}

function completeGeneration(
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

export interface Breeder {
  readonly seed: number
  readonly populationSize: number
  readonly maxFeatures: number
  readonly mutationRate: number
  /** Per target: the genes that an individual of it may have. */
  readonly candidates: readonly (readonly number[])[]
  /** Per gene: its kind of feature. Genes of one kind differ in their parameters only. */
  readonly families: readonly number[]
  /** Individuals that the user wants to begin with. */
  readonly seeds: readonly Individual[]
}

const TOURNAMENT = 3
const ELITE_SHARE = 0.05
/** How often a child that is there already is changed once more. */
const TRIES = 4

/** Seeds first, the rest at random. */
export function firstGeneration(breeder: Breeder): Individual[] {
  return fill(breeder, 1, breeder.seeds.slice(0, breeder.populationSize), (random) => randomIndividual(breeder, random))
}

/** The best survive; the others are children of parents that won a tournament. `ranked`: the generation before, best first. */
export function nextGeneration(breeder: Breeder, generation: number, ranked: readonly Individual[]): Individual[] {
  const elite = Math.max(1, Math.round(ELITE_SHARE * breeder.populationSize))
  return fill(breeder, generation, ranked.slice(0, elite), (random) => {
    const child = crossed(breeder, random, winner(random, ranked), winner(random, ranked))
    return mutated(breeder, random, child)
  })
}

/**
 * Each place of each generation has a generator of its own, so that a population depends on the seed and the generation
 * before it alone, wherever and in whatever order it is computed.
 */
function fill(
  breeder: Breeder,
  generation: number,
  kept: readonly Individual[],
  breed: (random: Random) => Individual,
): Individual[] {
  const population = [...kept]
  const known = new Set(kept.map(keyOf))
  for (let place = kept.length; place < breeder.populationSize; place++) {
    const random = new Random(deriveSeed(breeder.seed, generation, place))
    let individual = breed(random)
    for (let attempt = 1; attempt < TRIES && known.has(keyOf(individual)); attempt++) {
      individual = shaken(breeder, random, individual)
    }
    known.add(keyOf(individual))
    population.push(individual)
  }
  return population
}

const oneOf = <Item>(random: Random, items: readonly Item[]): Item => items[random.below(items.length)]!

function randomIndividual(breeder: Breeder, random: Random): Individual {
  const target = random.below(breeder.candidates.length)
  const candidates = breeder.candidates[target]!
  const count = 1 + random.below(Math.min(breeder.maxFeatures, candidates.length))
  const genes = new Set<number>()
  while (genes.size < count) genes.add(oneOf(random, candidates))
  return individualOf(target, genes)
}

/** The best of a few drawn by chance; `ranked` is best first. */
function winner(random: Random, ranked: readonly Individual[]): Individual {
  let best = ranked.length - 1
  for (let i = 0; i < TOURNAMENT; i++) best = Math.min(best, random.below(ranked.length))
  return ranked[best]!
}

/** Genes that both parents have are kept; of those that one has, about half. */
function crossed(breeder: Breeder, random: Random, mother: Individual, father: Individual): Individual {
  const target = random.below(2) === 0 ? mother.target : father.target
  const fathers = new Set(father.genes)
  const both = mother.genes.filter((gene) => fathers.has(gene))
  const either = [...mother.genes, ...father.genes].filter((gene) => !both.includes(gene))
  const genes = [...both, ...either.filter(() => random.below(2) === 0)]
  return fitted(breeder, random, target, genes)
}

/** Each feature may be changed; beside that one may be added, dropped, and the target exchanged. */
function mutated(breeder: Breeder, random: Random, { target, genes }: Individual): Individual {
  const { mutationRate, candidates } = breeder
  const happens = () => random.float() < mutationRate
  const aim = candidates.length > 1 && happens() ? random.below(candidates.length) : target
  const changed = genes.map((gene) => (happens() ? changedGene(breeder, random, aim, gene) : gene))
  const added = happens() ? [...changed, oneOf(random, candidates[aim]!)] : changed
  const dropped = added.length > 1 && happens() ? added.toSpliced(random.below(added.length), 1) : added
  return fitted(breeder, random, aim, dropped)
}

/** A copy with one change for certain. */
function shaken(breeder: Breeder, random: Random, { target, genes }: Individual): Individual {
  const place = random.below(genes.length + 1)
  const gene = genes[place]
  const changed =
    gene === undefined ? oneOf(random, breeder.candidates[target]!) : changedGene(breeder, random, target, gene)
  return fitted(breeder, random, target, genes.toSpliced(place, 1, changed))
}

/** The same kind of feature with other parameters, or another feature. */
function changedGene({ candidates, families }: Breeder, random: Random, target: number, gene: number): number {
  const all = candidates[target]!
  if (random.below(2) === 0) return oneOf(random, all)
  const family = all.filter((one) => families[one] === families[gene] && one !== gene)
  return family.length === 0 ? oneOf(random, all) : oneOf(random, family)
}

/** Fits an individual to its target: only genes that this knows, at least one and no more than allowed. */
function fitted(
  { candidates, maxFeatures }: Breeder,
  random: Random,
  target: number,
  genes: readonly number[],
): Individual {
  const possible = candidates[target]!
  const kept = [...new Set(genes)].filter((gene) => possible.includes(gene))
  while (kept.length > maxFeatures) kept.splice(random.below(kept.length), 1)
  if (kept.length === 0) kept.push(oneOf(random, possible))
  return individualOf(target, kept)
}

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
