import { bigint, defaulted, instant, integer, json, text } from '../columns.ts'

export const deletionTables = {
  deleted_rows: {
    id: defaulted(bigint),
    user_id: integer,
    kind: text,
    /** The id by which it was deleted. */
    key: text,
    table_name: text,
    /** The row as it was; of a row that stays and lost its reference, the id alone. */
    content: json<unknown>(),
    deleted_at: instant,
  },
}
