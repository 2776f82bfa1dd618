import { expect, it } from 'vitest'
import type { SeriesAnswer, SeriesSource } from '../../backtests/ports.ts'
import { shareAnswers } from './shared-answers.ts'

const answer: SeriesAnswer = { series: new Map(), actions: new Map(), missing: [], substituted: [] }
const question = {
  userId: 1,
  tickers: ['SPY'],
  range: { from: 0, to: 1 },
  granularity: '1d',
  provider: 'auto',
} as const
const { signal } = new AbortController()

function counted(answers: () => Promise<SeriesAnswer>): { source: SeriesSource; asked: () => number } {
  let asked = 0
  const source: SeriesSource = () => {
    asked += 1
    return answers()
  }
  return { source: shareAnswers(source), asked: () => asked }
}

it('answers the same question asked together by one query, and a later one by another', async () => {
  const { source, asked } = counted(async () => answer)
  await Promise.all([source(question, signal), source({ ...question }, signal)])
  expect(asked()).toBe(1)
  await source(question, signal)
  expect(asked()).toBe(2)
})

it('shares nothing between users, nor with a caller that may be aborted separately', async () => {
  const { source, asked } = counted(async () => answer)
  const other = new AbortController()
  await Promise.all([
    source(question, signal),
    source({ ...question, userId: 2 }, signal),
    source(question, other.signal),
  ])
  expect(asked()).toBe(3)
})

it('does not keep a failure', async () => {
  let fails = true
  const { source } = counted(() => (fails ? Promise.reject(new Error('away')) : Promise.resolve(answer)))
  await expect(source(question, signal)).rejects.toThrow('away')
  fails = false
  expect(await source(question, signal)).toBe(answer)
})
