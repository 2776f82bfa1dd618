import { studyMeasureKeys, studyMeasures } from '@tradewright/core/rules/study'
import { type CsvCell, csvText } from '@tradewright/core/csv'
import { combinationValues, type CompletedStudy } from './study-cells.ts'

/** Every variant in a line: its numbers, then its figures before and in the hold-out. */
export function studyCsv(study: CompletedStudy): string {
  const { in_sample: inSample, hold_out: holdOut, cells } = study.results
  const labels = studyMeasureKeys.map((measure) => studyMeasures[measure].label)
  const head = [
    ...study.numbers.map(({ label }) => label),
    ...labels,
    ...(holdOut ? labels.map((label) => `${label}, hold-out`) : []),
  ]
  const figures = [inSample, ...(holdOut ? [holdOut] : [])].flatMap((part) =>
    studyMeasureKeys.map((measure) => part[measure]),
  )
  const lines = cells.map((cell, i) => {
    const values: CsvCell[] = combinationValues(study, cell)
    return values.concat(figures.map((column) => column[i]))
  })
  return csvText([head, ...lines])
}
