import { isGiven } from '../../../strategy-form/form-values.ts'
import type { OptimizerForm } from './form.ts'
import { parseTickers } from './tickers.ts'

/** Why the run button is disabled; none: it is not. */
export function warningsOf({ featureTypes, target, startDate, endDate }: OptimizerForm): string[] {
  return [
    ...(featureTypes.length === 0 ? ['Select at least one feature type'] : []),
    ...(target === null ? ['Choose a target for prediction'] : []),
    ...(startDate === '' ? ['Set start date for backtest period'] : []),
    ...(endDate === '' ? ['Set end date for backtest period'] : []),
  ]
}

/** The server has a default for each; taken silently, it would hide that a field was cleared by mistake. */
const NEEDED = [
  ['populationSize', 'the population size'],
  ['generations', 'the generations'],
  ['mutationRate', 'the mutation rate'],
  ['maxFeatures', 'max features'],
  ['holdOutPct', 'the hold-out'],
  ['seed', 'the seed'],
] as const

/** Checked only when the run is started; null: nothing is wrong. */
export function refusalOf(form: OptimizerForm): string | null {
  if (parseTickers(form.targetTickers).length === 0) {
    return 'Add at least one target ticker before running the optimizer.'
  }
  if (form.target === null || form.target.id === '' || !Number.isFinite(Number(form.target.id))) {
    return 'Select a valid target definition before running the optimizer.'
  }
  const empty = NEEDED.find(([field]) => !isGiven(form[field]))
  if (empty) return `Enter a number for ${empty[1]}.`
  if (form.nestedWalkForward && !isGiven(form.nestedWindows)) return 'Enter a number for the nested windows.'
  const rows = [...form.signal1Allocations, ...form.signal0Allocations].filter(({ ticker }) => ticker.trim() !== '')
  const isPercent = ({ allocation }: (typeof rows)[number]) => allocation !== '' && Number.isFinite(Number(allocation))
  return rows.every(isPercent) ? null : 'Enter a percent for every Buy and Sell ticker.'
}
