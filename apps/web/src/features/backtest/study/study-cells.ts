import type { Study } from '@tradewright/contract/studies'
import { cellOf, placesOf, type StudyMeasure, studyMeasures } from '@tradewright/core/rules/study'
import { formatPercent, formatRatio } from '../../../lib/format.ts'
import type { HeatCell } from '../../../ui/chart/heat-map.tsx'

export type StudyPart = 'in_sample' | 'hold_out'
export type CompletedStudy = Study & { readonly results: NonNullable<Study['results']> }

/** What the heat map shows. */
export interface HeatView {
  /** Places in the study's numbers; with one number both are 0. */
  readonly row: number
  readonly column: number
  /** The numbers that are on neither side. */
  readonly others: 'best' | 'average'
  readonly measure: StudyMeasure
  readonly part: StudyPart
}

export const formatMeasure = (measure: StudyMeasure, value: number | null): string =>
  value === null ? 'n/a' : studyMeasures[measure].isPercent ? formatPercent(value) : formatRatio(value)

export const formatValue = (value: number): string => String(value).replace('-', '−')

const lengthsOf = ({ numbers }: Study): number[] => numbers.map(({ values }) => values.length)

/** The combination that a cell of the heat map stands for: the other numbers as the best variant has them. */
export function combinationAt(study: CompletedStudy, view: HeatView, row: number, column: number): number {
  const lengths = lengthsOf(study)
  const places = placesOf(study.results.best ?? 0, lengths)
  const chosen = places.map((place, i) => (i === view.column ? column : i === view.row ? row : place))
  return cellOf(chosen, lengths)
}

/** Where a combination is drawn. */
export function heatPlaceOf(study: CompletedStudy, view: HeatView, cell: number) {
  const places = placesOf(cell, lengthsOf(study))
  return { row: view.row === view.column ? 0 : places[view.row]!, column: places[view.column]! }
}

interface HeatTable {
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  readonly cells: HeatCell[][]
  readonly least: number | null
  readonly most: number | null
}

export function heatTable(study: CompletedStudy, view: HeatView): HeatTable {
  const { numbers, results } = study
  const lengths = lengthsOf(study)
  const [rowNumber, columnNumber] = [numbers[view.row]!, numbers[view.column]!]
  const isOneNumber = view.row === view.column
  const columns = columnNumber.values.map(formatValue)
  const rows = isOneNumber ? ['All'] : rowNumber.values.map(formatValue)
  const sums = rows.map(() => columns.map(() => ({ sum: 0, known: 0, tried: 0 })))
  const figures = results[view.part]?.[view.measure] ?? []
  const bestPlaces = placesOf(results.best ?? 0, lengths)
  results.cells.forEach((cell, i) => {
    const places = placesOf(cell, lengths)
    const isShown =
      view.others === 'average' ||
      places.every((place, number) => number === view.row || number === view.column || place === bestPlaces[number])
    if (!isShown) return
    const total = sums[isOneNumber ? 0 : places[view.row]!]![places[view.column]!]!
    total.tried += 1
    const value = figures[i] ?? null
    if (value === null) return
    total.sum += value
    total.known += 1
  })
  const isMarked = (cell: number | null, row: number, column: number): boolean => {
    if (cell === null) return false
    const places = placesOf(cell, lengths)
    const isHere = (isOneNumber || places[view.row] === row) && places[view.column] === column
    if (view.others === 'average') return isHere
    return isHere && places.every((place, i) => i === view.row || i === view.column || place === bestPlaces[i])
  }
  const near = new Set(
    results.neighbours
      .map((cell) => ({ cell, place: heatPlaceOf(study, view, cell) }))
      .filter(({ cell, place }) => isMarked(cell, place.row, place.column))
      .map(({ place }) => `${place.row} ${place.column}`),
  )
  const name = studyMeasures[view.measure].label
  const cells = sums.map((line, row) =>
    line.map(({ sum, known, tried }, column): HeatCell => {
      const value = known === 0 ? null : sum / known
      const text = value === null ? (tried === 0 ? '' : 'n/a') : formatMeasure(view.measure, value)
      const own = `${columnNumber.label} ${columns[column]!}`
      const place = isOneNumber ? own : `${rowNumber.label} ${rows[row]!}, ${own}`
      const isBest = isMarked(results.best, row, column)
      return {
        value,
        text,
        label: `${place}: ${name} ${tried === 0 ? 'not tried' : text}`,
        isBest,
        isNear: !isBest && near.has(`${row} ${column}`),
        isPresent: isMarked(results.present_cell, row, column),
      }
    }),
  )
  const known = cells.flatMap((line) => line.flatMap(({ value }) => value ?? []))
  const bound = (pick: (a: number, b: number) => number) =>
    known.length === 0 ? null : known.reduce((a, b) => pick(a, b))
  return { rows, columns, cells, least: bound(Math.min), most: bound(Math.max) }
}

interface Variant {
  readonly cell: number
  readonly values: readonly number[]
  readonly inSample: Readonly<Record<StudyMeasure, number | null>>
  readonly holdOut: Readonly<Record<StudyMeasure, number | null>> | null
}

/** The figures of one combination; undefined where it was not tried. */
export function variantAt(study: CompletedStudy, cell: number): Variant | undefined {
  const index = study.results.cells.indexOf(cell)
  return index < 0 ? undefined : variantOf(study, index)
}

export const combinationValues = (study: Study, cell: number): number[] =>
  placesOf(cell, lengthsOf(study)).map((place, i) => study.numbers[i]!.values[place]!)

function variantOf(study: CompletedStudy, index: number): Variant {
  const { cells, in_sample: inSample, hold_out: holdOut } = study.results
  const at = (columns: typeof inSample) => ({
    sharpe: columns.sharpe[index]!,
    cagr: columns.cagr[index]!,
    calmar: columns.calmar[index]!,
    maxDrawdown: columns.maxDrawdown[index]!,
  })
  const cell = cells[index]!
  return {
    cell,
    values: combinationValues(study, cell),
    inSample: at(inSample),
    holdOut: holdOut && at(holdOut),
  }
}

/** `number 0`, `in_sample sharpe`, `hold_out cagr`. */
export type VariantColumn = `number ${number}` | `${StudyPart} ${StudyMeasure}`

/** The first of all variants in this order; those without a value come last. */
export function sortedVariants(
  study: CompletedStudy,
  { column, isDescending }: { column: VariantColumn; isDescending: boolean },
  most: number,
): Variant[] {
  const { results } = study
  const lengths = lengthsOf(study)
  const [kind, what] = column.split(' ') as ['number' | StudyPart, string]
  const keys =
    kind === 'number'
      ? results.cells.map((cell) => placesOf(cell, lengths)[Number(what)]!)
      : (results[kind]?.[what as StudyMeasure] ?? results.cells.map(() => null))
  const order = results.cells.map((_, i) => i)
  order.sort((a, b) => {
    const [x, y] = [keys[a] ?? null, keys[b] ?? null]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return isDescending ? y - x : x - y
  })
  return order.slice(0, most).map((index) => variantOf(study, index))
}
