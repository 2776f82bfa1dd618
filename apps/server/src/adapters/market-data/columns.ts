/** A vendor's list as a column: what is not there is NaN. */
export const columnOf = (values: readonly (number | null | undefined)[]): Float64Array =>
  Float64Array.from(values, (value) => value ?? Number.NaN)

/** A column picked out of a list of rows. */
export const pluck = <Row>(rows: readonly Row[], pick: (row: Row) => number | null | undefined): Float64Array =>
  Float64Array.from(rows, (row) => pick(row) ?? Number.NaN)
