import type { SearchData } from './search-data.ts'
import type { EvaluationRules } from './evaluate.ts'
import type { Individual } from './individual.ts'
import { judgeHoldOut } from './hold-out-verdict.ts'
import { type NestedReport, reportNested, summaryWithNested } from './nested-report.ts'
import type { NestedChoice } from './nested-windows.ts'
import { deflatedWinner, overfitting } from './overfitting.ts'
import { type Generation, winnerOf } from './search.ts'
import { type FeatureStability, featureStability, stabilityOf } from './stability.ts'
import { judgeAll, judgeDeflated, type Judgement, judgeOverfitting, judgeStability } from './verdicts.ts'
import { detailWinner, type WinnerDetails } from './winner.ts'

/** The winner of a search, and how much of it is luck. Plain data. */
export interface SearchReport {
  readonly winner: Individual
  readonly fitness: number
  /** The first that had the winner. */
  readonly generation: number
  readonly details: WinnerDetails
  /** Distinct individuals that were evaluated. */
  readonly trials: number
  readonly luck: {
    readonly holdOut: Judgement
    readonly deflated: Judgement
    /** Yearly, of returns minus those of holding: of the winner, and of the best of so many worthless trials. */
    readonly activeSharpe: number | null
    readonly luckySharpe: number
    readonly overfitting: Judgement
    readonly compared: number
    readonly stability: Judgement
    readonly features: readonly FeatureStability[]
    readonly summary: Omit<Judgement, 'value'>
  }
  /** Absent where it was not asked for, and where no window was done. */
  readonly nested?: NestedReport
}

interface NestedWork {
  readonly choices: readonly NestedChoice[]
  readonly planned: number
}

/** Trains the winner once more and judges it; the one place that uses the hold-out. */
export async function reportSearch(
  searches: readonly SearchData[],
  rules: EvaluationRules,
  history: readonly Generation[],
  isCancelled: () => boolean = () => false,
  nestedWork?: NestedWork,
): Promise<SearchReport> {
  const { member, generation } = winnerOf(history)
  const searchData = searches[member.target]!
  const details = await detailWinner(searchData, rules, member, isCancelled)
  const { metric } = rules.fitness
  const deflated = deflatedWinner(history, details)
  const compared = overfitting(history, member)
  const features = featureStability(history, details)
  const parts = {
    holdOut: judgeHoldOut(details, metric),
    deflated: judgeDeflated(deflated),
    overfitting: judgeOverfitting(compared),
    stability: judgeStability(features, stabilityOf(features, history.length)),
  }
  const year = Math.sqrt(searchData.barsPerYear)
  const nested = nestedWork && reportNested(searches, nestedWork.choices, nestedWork.planned)
  return {
    winner: { target: member.target, genes: member.genes },
    fitness: member.evaluation.fitness,
    generation,
    details,
    trials: deflated.trials,
    luck: {
      ...parts,
      activeSharpe: deflated.sharpePerBar === undefined ? null : deflated.sharpePerBar * year,
      luckySharpe: deflated.luckySharpePerBar * year,
      compared: compared.trials,
      features,
      summary: summaryWithNested(judgeAll(parts, details.holdOut), nested?.judgement),
    },
    ...(nested && { nested }),
  }
}
