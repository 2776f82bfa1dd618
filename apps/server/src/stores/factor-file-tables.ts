import { defaulted, instant, integer, json, text } from './columns.ts'

export const factorFileTables = {
  factor_files: {
    id: defaulted(integer),
    user_id: integer,
    name: text,
    content: json<unknown>(),
    created_at: instant,
  },
}
