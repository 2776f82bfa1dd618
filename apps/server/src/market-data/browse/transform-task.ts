import type { SeriesTable } from '@tradewright/engine/market/series'
import {
  applyTransform,
  type TransformTable,
  type StarterTransform,
  findStarterTransform,
} from '@tradewright/engine/transforms/starter-transforms'

export interface TransformInput {
  /** The name of a starter transform; undefined for the stored values alone. */
  readonly transform: string | undefined
  readonly tables: readonly SeriesTable[]
}

const PLAIN: StarterTransform = { name: 'None', description: '', requiredCategories: [], computedColumns: [] }

/** Undefined when there is none of the name. */
export const transformOf = (name: string | undefined): StarterTransform | undefined =>
  name ? findStarterTransform(name) : PLAIN

/** A compute task: the table of a starter transform. */
export const run = ({ transform, tables }: TransformInput): TransformTable =>
  applyTransform(transformOf(transform)!, tables)
