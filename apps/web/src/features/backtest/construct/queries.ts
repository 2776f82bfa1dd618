import {
  cancelConstruction,
  deleteConstruction,
  getConstruction,
  listConstructions,
  startConstruction,
} from '@tradewright/contract/construction'
import { call } from '../../../lib/http.ts'
import { runQueries } from '../background-run/queries.ts'
import type { toConstructRequest } from './construct-form.ts'

export const constructionQueries = runQueries({
  key: 'portfolio constructions',
  list: async (signal) => (await call(listConstructions, { signal })).constructions,
  get: (id, signal) => call(getConstruction, { params: { id }, signal }),
  start: async (body: ReturnType<typeof toConstructRequest>) =>
    (await call(startConstruction, { body })).construction.id,
  cancel: (id) => call(cancelConstruction, { params: { id } }),
  remove: (id) => call(deleteConstruction, { params: { id } }),
  kind: 'construction',
})
