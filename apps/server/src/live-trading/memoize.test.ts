import { expect, it } from 'vitest'
import { memoized } from './memoize.ts'

it('asks each question once, and keeps no failure', async () => {
  const answers = memoized<string>()
  let asked = 0
  const ask = async () => `answer ${++asked}`
  expect(await Promise.all([answers('a', ask), answers('a', ask), answers('b', ask)])).toEqual([
    'answer 1',
    'answer 1',
    'answer 2',
  ])
  expect(await answers('a', ask)).toBe('answer 1')
  await expect(answers('c', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await answers('c', ask)).toBe('answer 3')
})
