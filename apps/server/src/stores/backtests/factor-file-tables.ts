import { defaulted, instant, integer, json, text, textArray } from '../columns.ts'

export const factorFileTables = {
  factor_files: {
    id: defaulted(integer),
    user_id: integer,
    name: text,
    content: json<unknown>(),
    frequency: text,
    factors: textArray,
    first_day: integer,
    last_day: integer,
    row_count: integer,
    created_at: instant,
  },
}
