import type { ColumnType, Generated } from 'kysely'

/**
 * The database's tables are described as values, not only as types: TypeScript derives the row types from them, and a
 * test compares them with the real database, column by column.
 */
interface Column<Type> {
  /** The name PostgreSQL's information schema gives the type. */
  readonly type: string
  readonly isNullable: boolean
  readonly hasDefault: boolean
  /** Never set; it carries the TypeScript type of the column. */
  readonly typescript?: Type
}

const column = <Type>(type: string): Column<Type> => ({ type, isNullable: false, hasDefault: false })

export const text = column<string>('text')
export const integer = column<number>('integer')
export const bigint = column<number>('bigint')
export const double = column<number>('double precision')
/** Exact; travels as text so that no binary float touches money. */
export const decimal = column<string>('numeric')
export const boolean = column<boolean>('boolean')
export const uuid = column<string>('uuid')
export const bytes = column<Buffer>('bytea')
export const date = column<string>('date')
export const instant = column<Date>('timestamp with time zone')
export const textArray = column<string[]>('ARRAY')
export const integerArray = column<number[]>('ARRAY')
/** Ranges of whole numbers, in PostgreSQL's own words: `{[1,5),[7,9)}`. */
export const multirange = column<string>('int8multirange')
/** Read as parsed JSON, written as JSON text. */
export const json = <Type>(): Column<ColumnType<Type, string, string>> => column('jsonb')

export const nullable = <Type>(of: Column<Type>): Column<Type | null> => ({
  ...of,
  isNullable: true,
})
/** The database fills it in when an insert leaves it out. */
export const defaulted = <Type>(of: Column<Type>): Column<Generated<Type>> =>
  ({ ...of, hasDefault: true }) as Column<Generated<Type>>

type Columns = Record<string, Column<unknown>>

/** The kysely row type of a described table. */
export type TableOf<Description extends Columns> = {
  [Name in keyof Description]: Description[Name] extends Column<infer Type> ? Type : never
}
