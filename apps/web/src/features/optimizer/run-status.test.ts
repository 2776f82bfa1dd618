import { RUN_STATUSES } from '@tradewright/contract/optimization-run'
import { expect, it } from 'vitest'
import { currentGeneration, formatDuration, isInProgress, runLabel, withKnownHistory } from './queries.ts'
import { sampleGeneration, sampleRun } from './test-support/sample-run.ts'

it('counts running and cancel_requested as in progress [OPT-065]', () => {
  expect(RUN_STATUSES.filter((status) => isInProgress({ status }))).toEqual(['cancel_requested', 'running'])
})

it('takes the current generation from the history [OPT-007]', () => {
  expect(currentGeneration([sampleGeneration(1), sampleGeneration(2)])).toBe(2)
  expect(currentGeneration([])).toBe(0)
})

it('names every status in the list, an abandoned run too [OPT-069]', () => {
  expect(runLabel(sampleRun({ status: 'abandoned' }))).toBe('#12 · BTC-USD · 14 Nov 2026 · abandoned')
  expect(runLabel(sampleRun({ status: 'running', paused: true }))).toContain('paused')
})

it('adds the generations that are new to those it knows', () => {
  const known = sampleRun({ status: 'running', generation_history: [sampleGeneration(1)] })
  const news = sampleRun({ generation_history: [sampleGeneration(2)] })
  const joined = withKnownHistory(known, news, 1)
  expect(joined.generation_history.map(({ generation }) => generation)).toEqual([1, 2])
  expect(joined.status).toBe('completed')
  expect(withKnownHistory(undefined, news, 0).generation_history).toEqual(news.generation_history)
})

it('does not repeat generations, should the server send the whole history', () => {
  const whole = sampleRun()
  expect(withKnownHistory(whole, whole, 1).generation_history.map(({ generation }) => generation)).toEqual([1, 2])
})

it('writes durations as people say them', () => {
  expect([0.4, 59, 125, 3700].map(formatDuration)).toEqual(['0 s', '59 s', '2 min 5 s', '1 h 1 min'])
  expect(formatDuration(null)).toBe('N/A')
})
