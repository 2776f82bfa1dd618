import type { Column } from '@tradewright/core/column'
import { rowsKnownAt } from '../market/align.ts'
import { knownAtOf } from '../market/known-at.ts'
import type { SeriesTable } from '../market/series.ts'
import { barsOf, besideRows, type FeatureBars, readableBy, type KnownBeforeKind, type Label } from './feature.ts'
import type { PlannedFeature, PlannedTarget } from './catalogue.ts'

/** Adjusted series by ticker, leverage included; a Problem where there is no data. */
export type SeriesSource = (ticker: string) => SeriesTable

/** One column per feature on the rows of a simulation. */
export interface FeatureMatrix {
  readonly labels: readonly string[]
  readonly columns: readonly Column[]
  /** The rows on which every feature has a value. */
  readonly usableRows: Int32Array
}

/**
 * Features are computed on the rows of their own series and then joined to the decisions: at each decision instant the
 * row that was newest by then. A series is searched once, whatever the number of its features.
 */
export class DecisionRows {
  readonly #decisionAt: Float64Array
  readonly #rows = new Map<SeriesTable, Int32Array>()

  constructor(decisionAt: Float64Array) {
    this.#decisionAt = decisionAt
  }

  get count(): number {
    return this.#decisionAt.length
  }

  join(table: SeriesTable, column: Column): Column {
    const rows = this.#rowsOf(table)
    const joined = new Float64Array(rows.length)
    for (let i = 0; i < rows.length; i++) joined[i] = rows[i]! < 0 ? Number.NaN : column[rows[i]!]!
    return joined
  }

  #rowsOf(table: SeriesTable): Int32Array {
    const known = this.#rows.get(table)
    if (known) return known
    const rows = Int32Array.from(rowsKnownAt(knownAtOf(table), this.#decisionAt))
    this.#rows.set(table, rows)
    return rows
  }
}

/** The column of one feature; pure, so a caller that computes many may cache them by `planned.label`. */
export function featureColumn(planned: PlannedFeature, seriesOf: SeriesSource, decisions: DecisionRows): Column {
  const table = readableBy(planned, seriesOf(planned.ticker))
  const other = planned.otherTicker === undefined ? undefined : besideRows(table, seriesOf(planned.otherTicker))
  return decisions.join(table, planned.definition.compute({ bars: barsOf(table), other }, planned.values))
}

export function assembleMatrix(labels: readonly string[], columns: readonly Column[], rowCount: number): FeatureMatrix {
  const usable: number[] = []
  for (let row = 0; row < rowCount; row++) if (columns.every((column) => !Number.isNaN(column[row]!))) usable.push(row)
  return { labels, columns, usableRows: Int32Array.from(usable) }
}

/** Labels on the rows of the simulation, with what neighbouring ones share. */
export interface TargetRows {
  readonly labels: Label[]
  /** Bars from one label to the first that shares no price change with it. */
  readonly overlap: number
  /** One value per row; undefined where nothing is known of a label before a model speaks. */
  readonly knownBefore: { readonly kind: KnownBeforeKind; readonly column: Column } | undefined
}

/** Labels from the prices known at each decision. */
export function targetRows(planned: PlannedTarget, seriesOf: SeriesSource, decisions: DecisionRows): TargetRows {
  const joinedBars = (ticker: string): FeatureBars => {
    const table = readableBy(planned, seriesOf(ticker))
    const columns = Object.entries(table.columns).map(
      ([name, column]) => [name, decisions.join(table, column)] as const,
    )
    return { ...barsOf(table), timestamps: new Float64Array(decisions.count), columns: Object.fromEntries(columns) }
  }
  const { definition, values, ticker, otherTicker } = planned
  const input = { bars: joinedBars(ticker), other: otherTicker === undefined ? undefined : joinedBars(otherTicker) }
  const { knownBefore } = definition
  return {
    labels: definition.compute(input, values),
    overlap: (definition.overlap ?? definition.horizon)(values),
    knownBefore: knownBefore && { kind: knownBefore.kind, column: knownBefore.compute(input, values) },
  }
}
