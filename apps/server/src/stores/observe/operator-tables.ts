import { boolean, defaulted, instant, integer, json, uuid } from '../columns.ts'

export const operatorTables = {
  /** The first account that the instance had. It stays when that account is deleted: no other user takes its place. */
  instance_operator: { only_row: defaulted(boolean), user_id: integer },
  /** What each process says of itself, every few seconds. */
  process_reports: { id: uuid, reported_at: instant, report: json<unknown>() },
}
