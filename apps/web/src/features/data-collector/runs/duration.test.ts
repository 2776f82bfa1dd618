import { expect, it } from 'vitest'
import { formatDuration } from '../data-collector-screen.tsx'

it('reads in the unit that fits', () => {
  expect([null, 340, 2_440, 185_000].map(formatDuration)).toEqual(['N/A', '340 ms', '2.4 s', '3 min 5 s'])
})
