import type { Category } from '@tradewright/core/category'
import type { Column } from '@tradewright/core/column'
import type { CategoryColumns } from '../market/series.ts'

interface TransformInput {
  /** The columns of one ticker, as long as its timestamps. */
  readonly columns: CategoryColumns
  /** Closes of the benchmark on the same stamps; NaN where it has none. */
  readonly benchmark: Column
  /** For annualising. */
  readonly periodsPerYear: number
}

export interface ComputedColumn {
  readonly name: string
  readonly description: string
  readonly compute: (input: TransformInput) => Column
}

/** A ready-made analysis of collected data, computed with the same functions as the features of a model. */
export interface StarterTransform {
  readonly name: string
  readonly description: string
  readonly requiredCategories: readonly Category[]
  readonly computedColumns: readonly ComputedColumn[]
}

export function columnOf({ columns }: TransformInput, category: Category): Column {
  const column = columns[category]
  if (!column) throw new Error(`the transform was applied without its required category ${category}`)
  return column
}
