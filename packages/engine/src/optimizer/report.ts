import type { SearchData } from './search-data.ts'
import type { EvaluationRules } from './evaluate.ts'
import type { Individual } from './request.ts'
import { type NestedReport, reportNested, summaryWithNested, type NestedChoice } from './nested-report.ts'
import {
  deflatedWinner,
  overfitting,
  judgeAll,
  judgeDeflated,
  type Judgement,
  judgeOverfitting,
  judgeStability,
  percent,
  unknown,
  type Verdict,
  withMinus,
  type FeatureStability,
  featureStability,
  stabilityOf,
} from './verdicts.ts'
import { type Generation, winnerOf } from './search.ts'
import { detailWinner, type WinnerDetails, type HoldOutScores } from './winner.ts'
import type { FitnessMetric } from './score.ts'
import { earnsNoMore } from './holding.ts'

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

const NAMES = { accuracy: 'accuracy', sharpe: 'Sharpe ratio', cagr: 'yearly growth (CAGR)' } as const

const told = (metric: FitnessMetric, value: number): string =>
  metric === 'sharpe' ? withMinus(value.toFixed(2)) : percent(value)

type Compared = Pick<HoldOutScores, 'accuracy' | 'sharpe' | 'cagr' | 'baseRate' | 'holding'>

/**
 * Good is what beats always holding the buy allocation by at least half of what it did in the search, and earned more.
 * An accuracy must beat always giving the more frequent answer instead.
 */
export function judgeHoldOut(
  {
    holdOut,
    overall,
    holding,
  }: Pick<WinnerDetails, 'overall' | 'holding'> & { readonly holdOut: Compared | undefined },
  metric: FitnessMetric,
): Judgement {
  if (!holdOut) return unknown('no part of the data was held back')
  const value = holdOut[metric]
  if (value === null) return unknown('nothing was traded or predicted in the held-back part')
  const [verdict, words] =
    metric === 'accuracy'
      ? gradeAccuracy(value, holdOut)
      : gradeReturn(metric, value, holdOut, excessOver(overall[metric], holding[metric]))
  const inSearch = overall[metric]
  return {
    value,
    verdict,
    words,
    sentence:
      `On the last part of the data, which no generation saw, the ${NAMES[metric]} was ${told(metric, value)}` +
      `${inSearch === null ? '' : `, against ${told(metric, inSearch)} during the search`}. ${beside(metric, holdOut)}`,
  }
}

type Grade = readonly [Verdict, string]

function gradeAccuracy(accuracy: number, holdOut: Compared): Grade {
  const base = Math.max(0.5, holdOut.baseRate ?? 0.5)
  if (accuracy > base) {
    return earnsNoMore(holdOut)
      ? ['caution', 'Accurate, but earned no more than holding']
      : ['good', 'Holds up on unseen data']
  }
  return accuracy > 0.5 ? ['caution', 'No better than a constant prediction'] : ['bad', 'Fails on unseen data']
}

function gradeReturn(metric: 'sharpe' | 'cagr', value: number, holdOut: Compared, promised: number): Grade {
  const excess = excessOver(value, holdOut.holding[metric])
  if (earnsNoMore(holdOut)) {
    return metric === 'sharpe' && excess > 0
      ? ['caution', 'Less return than holding, at less risk']
      : ['bad', 'Earned no more than holding']
  }
  if (!(value > 0)) return ['caution', 'Lost less than holding']
  return excess > 0 && excess >= promised / 2
    ? ['good', 'Beats holding on unseen data']
    : ['caution', 'Weaker on unseen data']
}

const excessOver = (value: number | null, held: number | null): number => (value ?? 0) - (held ?? 0)

function beside(metric: FitnessMetric, { cagr, baseRate, holding }: Compared): string {
  const constant =
    metric === 'accuracy'
      ? `Always giving the more frequent answer would have reached ${percent(Math.max(0.5, baseRate ?? 0.5))}. `
      : ''
  if (cagr === null || holding.cagr === null) return `${constant}What holding earned there is not known.`
  const ratio =
    metric === 'sharpe' && holding.sharpe !== null
      ? ` at a Sharpe ratio of ${withMinus(holding.sharpe.toFixed(2))}`
      : ''
  return (
    `${constant}It earned ${percent(cagr)} a year there; always holding the buy allocation earned ` +
    `${percent(holding.cagr)}${ratio}.`
  )
}
