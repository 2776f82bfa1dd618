import type { StudyItem } from '@tradewright/contract/studies'
import { expect, it } from 'vitest'
import { countVariants, durationWords, estimatedSeconds, newStudyForm } from './study-form.ts'

const number = (path: string, value: number) => ({ path, label: path, value, isWhole: true, min: 1, max: 10_000 })
const numbers = [number('Window', 200), number('Top N', 8), number('Streak', 3)]
const form = newStudyForm(numbers)

it('begins with two numbers around their present values', () => {
  expect(form.ranges).toEqual([
    { path: 'Window', from: '100', to: '300', step: '25' },
    { path: 'Top N', from: '4', to: '12', step: '1' },
  ])
  expect(countVariants(form, numbers)).toEqual({ variants: 81, words: '9 × 9 = 81 variants', problem: null })
  expect(countVariants({ ...form, method: 'random', count: '20' }, numbers)).toMatchObject({
    variants: 20,
    words: '20 of 81 combinations',
  })
})

it.each([
  [{ ranges: [] }, 'Add a number to vary.'],
  [{ ranges: [{ path: 'Window', from: '', to: '3', step: '1' }] }, /^Window: the range must go up/],
  [{ ranges: [{ path: 'Window', from: '1', to: '20000', step: '1' }] }, /^At most 10,000 variants/],
  [{ ranges: [{ path: 'Window', from: '5', to: '5', step: '1' }] }, 'A study needs at least 2 variants.'],
  [{ method: 'random' as const, count: '' }, 'Enter how many variants to try.'],
])('says why %j cannot be started', (change, problem) => {
  expect(countVariants({ ...form, ...change }, numbers).problem).toMatch(problem)
})

it('estimates the time by the newest study that was long enough', () => {
  const period = { startDate: '2000-01-01', endDate: '2020-01-01' }
  const known = {
    status: 'completed',
    evaluated: 1000,
    seconds: 20,
    start_date: '2010-01-01',
    end_date: '2020-01-01',
  } as StudyItem
  const small = { ...known, evaluated: 20, seconds: 20 }
  expect(estimatedSeconds(500, period, [small, known])).toBeCloseTo(20, 0)
  expect(estimatedSeconds(500, period, [])).toBeCloseTo(20, 0)
  expect([durationWords(0.2), durationWords(45), durationWords(300), durationWords(8000)]).toEqual([
    'about 1 s',
    'about 45 s',
    'about 5 min',
    'about 2 h',
  ])
})
