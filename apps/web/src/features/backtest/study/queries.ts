import { cancelStudy, deleteStudy, getStudy, listStudies, startStudy } from '@tradewright/contract/studies'
import { call } from '../../../lib/http.ts'
import { runQueries } from '../background-run/queries.ts'
import type { toStudyRequest } from './study-form.ts'

export const studyQueries = runQueries({
  key: 'parameter studies',
  list: async (signal) => (await call(listStudies, { signal })).studies,
  get: (id, signal) => call(getStudy, { params: { id }, signal }),
  start: async (body: ReturnType<typeof toStudyRequest>) => (await call(startStudy, { body })).study.id,
  cancel: (id) => call(cancelStudy, { params: { id } }),
  remove: (id) => call(deleteStudy, { params: { id } }),
  kind: 'study',
})
