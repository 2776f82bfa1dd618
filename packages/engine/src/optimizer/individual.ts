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
