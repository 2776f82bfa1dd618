/** Limits of one file. A file beyond a limit is refused as a whole. */
export interface CsvLimits {
  readonly rows: number
  readonly columns: number
  /** Rows times the columns that are taken: 8 bytes each in memory, several times over while they are stored. */
  readonly values: number
  readonly cellCharacters: number
}
