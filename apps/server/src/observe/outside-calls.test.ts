import { expect, it } from 'vitest'
import { outsideCalls } from './process-counts.ts'

const limitOf = (service: string) => outsideCalls.list().find((one) => one.service === service)?.limit

it('names the allowance of a service, and none for the services of users, which count together', () => {
  const limit = { calls: 5, windowMillis: 60_000 }
  for (const called of ['fred', 'of one user', 'of another user']) {
    outsideCalls.record(called, 'answered', 0.1)
    outsideCalls.noteLimit(called, limit)
  }
  expect(limitOf('fred')).toEqual(limit)
  expect(outsideCalls.list().map(({ service }) => service)).not.toContain('of one user')
  expect(limitOf('custom')).toBeUndefined()
})
