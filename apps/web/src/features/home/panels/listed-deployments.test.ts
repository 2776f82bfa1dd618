import { expect, it } from 'vitest'
import { checkText, listedDeployments } from './deployments-panel.tsx'

it('lists what runs first, and at most five', () => {
  const statuses = ['stopped', 'paused', 'running', 'created', 'running', 'stopped'] as const
  const listed = listedDeployments(statuses.map((status, id) => ({ id, status })))
  expect(listed.map(({ id }) => id)).toEqual([2, 4, 1, 3, 0])
})

it('says when a deployment checks next, and what it waits for', () => {
  const now = new Date('2025-09-30T15:00:00Z')
  const next_run_at = '2025-09-30T20:00:00.000Z'
  expect(checkText({ status: 'running', next_run_at }, now)).toBe('4:00 PM ET')
  expect(checkText({ status: 'running', next_run_at: null }, now)).toBe('Not scheduled yet')
  expect(checkText({ status: 'paused', next_run_at }, now)).toBe('After Resume')
  expect(checkText({ status: 'created', next_run_at: null }, now)).toBe('After Start')
})
