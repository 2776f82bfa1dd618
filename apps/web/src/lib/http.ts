import type { Route } from '@tradewright/contract/route'
import type { z } from 'zod'

type In<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined

/** What a call needs besides its route: only the parts that the route declares. */
export interface CallInput<R extends Route> {
  params?: In<R['params']>
  query?: In<R['query']>
  body?: In<R['body']>
}
