/** What a study's best variant is chosen by, and what its heat map shows. More is better of each. */
export const studyMeasures = {
  sharpe: { label: 'Sharpe ratio', isPercent: false },
  cagr: { label: 'CAGR', isPercent: true },
  calmar: { label: 'Calmar ratio', isPercent: false },
  maxDrawdown: { label: 'Maximum drawdown', isPercent: true },
} as const

export type StudyMeasure = keyof typeof studyMeasures

export const studyMeasureKeys = Object.keys(studyMeasures) as [StudyMeasure, ...StudyMeasure[]]

/** Every combination of the values, or so many of them by chance. */
export const studyMethods = ['grid', 'random'] as const
export type StudyMethod = (typeof studyMethods)[number]

export const STUDY_LIMITS = {
  variants: 10_000,
  numbers: 20,
  valuesEach: 200,
  /** All combinations that a random search draws from. */
  combinations: 1e15,
  holdOutPct: { min: 0, max: 50, default: 20 },
} as const

/** The places of a variant's values on each range, of its place among all combinations: the last number counts fastest. */
export function placesOf(cell: number, lengths: readonly number[]): number[] {
  let left = cell
  return lengths
    .toReversed()
    .map((length) => {
      const place = left % length
      left = Math.floor(left / length)
      return place
    })
    .toReversed()
}

export const cellOf = (places: readonly number[], lengths: readonly number[]): number =>
  places.reduce((cell, place, i) => cell * lengths[i]! + place, 0)
