import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { fetchFresh } from './http.ts'

it('asks again when a screen that showed the same data goes away meanwhile', async () => {
  const queries = new QueryClient()
  let calls = 0
  const options = {
    queryKey: ['backtests'],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      calls += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
      signal.throwIfAborted()
      return ['mine']
    },
  }
  const leave = new QueryObserver(queries, options).subscribe(() => {})
  const asked = fetchFresh(queries, options)
  leave()
  expect(await asked).toEqual(['mine'])
  expect(calls).toBe(2)
})

it('does not hide what fails', async () => {
  const options = { queryKey: ['x'], retry: false, queryFn: () => Promise.reject(new Error('no')) }
  await expect(fetchFresh(new QueryClient(), options)).rejects.toThrow('no')
})
