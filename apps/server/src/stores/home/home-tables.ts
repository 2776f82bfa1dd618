import { boolean, integer, textArray } from '../columns.ts'

export const homeTables = {
  home_checklists: {
    user_id: integer,
    /** First steps that were done once, whatever became of their results. */
    done: textArray,
    is_hidden: boolean,
  },
}
