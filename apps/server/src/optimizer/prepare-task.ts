import { Problem } from '@tradewright/core/problem'
import { planSearch } from '@tradewright/engine/optimizer/plan'
import { prepareSearch, type PreparedSearch } from '@tradewright/engine/optimizer/prepare'
import type { SearchRequest } from '@tradewright/engine/optimizer/request'
import type { TaskContext } from '../workers/task.ts'
import { unpackData } from './market-data.ts'

/** A compute task: every candidate's column, once, on memory that all threads share. */
interface PreparePayload {
  readonly request: SearchRequest
  readonly data: Uint8Array
}

export function run({ request, data }: PreparePayload, context: TaskContext): PreparedSearch {
  return prepareSearch(planSearch(request), unpackData(data).data, () => {
    if (context.isCancelled()) throw new Problem('conflict', 'optimizer.cancelled', 'The run was cancelled.')
  })
}
