import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { dropPrivateQueries, PUBLIC } from './public-queries.ts'

it('the end of a session drops what is private, and a public page that is loading gets its answer', async () => {
  const queries = new QueryClient()
  const { promise, resolve } = Promise.withResolvers<string>()
  queries.setQueryData(['account'], 'private')
  const page = new QueryObserver(queries, { queryKey: ['shared'], queryFn: () => promise, meta: PUBLIC })
  const leave = page.subscribe(() => {})
  dropPrivateQueries(queries)
  expect(queries.getQueryData(['account'])).toBeUndefined()
  resolve('the result')
  await expect.poll(() => page.getCurrentResult().data).toBe('the result')
  leave()
})
