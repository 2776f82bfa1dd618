import { expect, it } from 'vitest'
import { statusOf } from './job.ts'

it('calls work that was given up failed, and cancelled only what was cancelled', () => {
  const error = { kind: 'unavailable' as const, code: 'job.interrupted', message: 'It was interrupted twice.' }
  const status = (state: 'running' | 'failed' | 'cancelled') =>
    statusOf({ endedAs: null, job: { state, progress: null, error: state === 'failed' ? error : null } })
  expect([status('running'), status('failed'), status('cancelled')]).toEqual(['running', 'failed', 'cancelled'])
  expect(statusOf({ endedAs: 'completed', job: null })).toBe('completed')
})
