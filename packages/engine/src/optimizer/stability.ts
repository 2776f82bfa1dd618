import { type Figure, notAvailable } from '../performance/figure.ts'
import { mean } from '../performance/moments.ts'
import { type Generation, winnerOf } from './search.ts'
import type { WinnerDetails } from './winner.ts'

/** How much one of the winner's features was relied on, by evolution and by the models. */
export interface FeatureStability {
  readonly gene: number
  /** Share of all generations whose best individual had it: what came in last has proved little. */
  readonly generationShare: number
  /** Share of the last generation's individuals that have it. */
  readonly populationShare: number
  /** Share of the windows in which the model relied on it at least half as much as on the average feature. */
  readonly windowShare: number | null
  readonly importance: number | null
}

export function featureStability(history: readonly Generation[], { windows }: WinnerDetails): FeatureStability[] {
  const { member } = winnerOf(history)
  const last = history.at(-1)!.members.filter(({ target }) => target === member.target)
  return member.genes.map((gene, place) => {
    const importances = windows.flatMap((window) => window.importances[place] ?? [])
    const least = 0.5 / member.genes.length
    return {
      gene,
      generationShare: share(
        history,
        ({ members: [best] }) => best!.target === member.target && best!.genes.includes(gene),
      ),
      populationShare: share(last, ({ genes }) => genes.includes(gene)),
      windowShare: importances.length === 0 ? null : share(importances, (one) => one >= least),
      importance: importances.length === 0 ? null : mean(importances),
    }
  })
}

/** Fewer than these have had no time to change their minds. */
const MIN_GENERATIONS = 3

/** One number of all features: the mean of what is known of each. */
export function stabilityOf(features: readonly FeatureStability[], generations: number): Figure {
  if (generations < MIN_GENERATIONS) return notAvailable('fewer than three generations were bred')
  return mean(
    features.map(({ generationShare, windowShare }) =>
      windowShare === null ? generationShare : (generationShare + windowShare) / 2,
    ),
  )
}

const share = <Item>(items: readonly Item[], holds: (item: Item) => boolean): number =>
  items.length === 0 ? 0 : items.filter(holds).length / items.length
