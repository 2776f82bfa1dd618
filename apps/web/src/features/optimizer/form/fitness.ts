import { formatNumber, formatPercent, formatRatio, formatSignedPercent } from '../../../lib/format.ts'

interface Measure {
  evaluation_metric: string
  wf_fitness_mode: string
  walk_forward_enabled: boolean
}

/** The measure of a fitness. A consistency ratio is a number of its own, whatever it is the ratio of. */
export const measureOf = ({ evaluation_metric, wf_fitness_mode, walk_forward_enabled }: Measure): string =>
  walk_forward_enabled && wf_fitness_mode === 'consistency_ratio' ? wf_fitness_mode : evaluation_metric

/** CAGR and accuracy read as a percent, Sharpe with 2 decimals, anything else with 4. */
export function formatFitness(measure: string, fitness: number | null): string {
  if (measure === 'cagr' || measure === 'accuracy') return formatPercent(fitness, 2)
  return measure === 'sharpe' ? formatRatio(fitness) : formatNumber(fitness, { decimals: 4 })
}

const WORDS: Record<string, string> = {
  accuracy: 'Accuracy',
  sharpe: 'Sharpe',
  cagr: 'CAGR',
  consistency_ratio: 'Consistency ratio',
}
export const measureWord = (measure: string): string => WORDS[measure] ?? measure

/** In the results accuracy, F1 and CAGR have one decimal; a return has its sign. */
export function formatPerformance(figure: 'accuracy' | 'f1_score' | 'sharpe' | 'cagr', value: number | null): string {
  if (value === null) return 'n/a'
  if (figure === 'sharpe') return formatRatio(value)
  return figure === 'cagr' ? formatSignedPercent(value) : formatPercent(value)
}

const FORMULAS: Readonly<Record<string, string>> = {
  mean_only: 'Mean of the windows',
  mean_minus_variance: 'Mean − penalty × standard deviation ^ exponent',
  consistency_ratio: 'Mean ÷ standard deviation (at least 0.001)',
}

export const fitnessFormula = (mode: string): string => FORMULAS[mode] ?? mode
