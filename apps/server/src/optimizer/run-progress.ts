import type { SearchRequest } from '@tradewright/engine/optimizer/request'
import { bestFitness } from '@tradewright/engine/optimizer/search'
import type { JobProgress } from '../jobs/job.ts'
import type { RunTally, StoredGeneration } from './run.ts'

/** Where the generations begin and end on the bar; before them features are computed, after them the winner is judged. */
const BEGIN = 0.04
const END = 0.96

/** Which of a run's searches this is: its own is 0, those before nested windows follow. */
interface SearchPlace {
  readonly number: number
  readonly count: number
}

/** Turns evaluations into the words and the bar that the user sees. */
export class RunProgress {
  readonly #total: number
  readonly #place: SearchPlace
  readonly #reportProgress: (progress: JobProgress) => void
  #complete: number
  #evaluations: number
  #seconds: number
  #best: number | undefined
  #inGeneration = 0

  constructor(
    request: SearchRequest,
    history: readonly StoredGeneration[],
    reportProgress: (progress: JobProgress) => void,
    place: SearchPlace = { number: 0, count: 1 },
  ) {
    this.#total = request.breeding.generations
    this.#place = place
    this.#reportProgress = reportProgress
    this.#complete = history.length
    this.#evaluations = history.reduce((sum, { newEvaluations }) => sum + newEvaluations, 0)
    this.#seconds = history.reduce((sum, { seconds }) => sum + seconds, 0)
    this.#best = history.length === 0 ? undefined : bestFitness(history.at(-1)!)
  }

  /** A generation in which so many are to be evaluated. */
  begin(individuals: number): void {
    this.#inGeneration = individuals
    this.advance(0)
  }

  advance(done: number): void {
    const fraction = this.#inGeneration === 0 ? 1 : done / this.#inGeneration
    this.#say(this.#complete + Math.min(1, fraction))
  }

  complete(generation: StoredGeneration): void {
    this.#complete = generation.number
    this.#evaluations += generation.newEvaluations
    this.#seconds += generation.seconds
    this.#best = bestFitness(generation)
    this.#say(this.#complete)
  }

  #say(generations: number): void {
    const number = Math.min(this.#complete + 1, this.#total)
    const { number: search, count } = this.#place
    // With nested windows the run tells it, which knows of all searches.
    const left = count > 1 ? null : secondsLeft(this.#seconds, this.#complete, this.#total)
    const parts = [
      search === 0 ? undefined : `Nested window ${search} of ${count - 1}`,
      `Generation ${number} of ${this.#total}`,
      this.#best === undefined ? undefined : `best ${this.#best.toFixed(4)}`,
      this.#seconds > 0 ? `${Math.round(this.#evaluations / this.#seconds)} evaluations/s` : undefined,
      left === null ? undefined : `about ${Math.ceil(left)} s left`,
    ]
    const fraction = BEGIN + ((END - BEGIN) * (search + generations / this.#total)) / count
    this.#reportProgress({ fraction, note: parts.filter((part) => part !== undefined).join(' · ') })
  }
}

/** Assumes that each further generation takes as long as those so far; null before the first is complete. */
const secondsLeft = (seconds: number, complete: number, total: number): number | null =>
  complete === 0 ? null : (seconds / complete) * (total - complete)

/**
 * Seconds until the whole run ends, by its own generations so far: those before nested windows are taken to last as
 * long, though they have fewer bars. `fraction` is where the bar stands, which knows of the windows that are done.
 */
export function runSecondsLeft(
  { generations: complete, seconds }: RunTally,
  { breeding: { generations }, nestedWindows = 0 }: SearchRequest,
  fraction: number,
): number | null {
  if (nestedWindows === 0) return secondsLeft(seconds, complete, generations)
  const total = generations * (1 + nestedWindows)
  const done = Math.max(complete, total * ((fraction - BEGIN) / (END - BEGIN)))
  return Math.max(0, (seconds / complete) * (total - done))
}

export const evaluationsPerSecond = ({ evaluations, seconds }: RunTally): number | null =>
  seconds > 0 ? evaluations / seconds : null
