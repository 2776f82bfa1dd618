import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { leftOutByServer, readablePart } from './readable-part.ts'

const Job = z.object({ id: z.int(), tickers: z.array(z.string()) })
const Jobs = z.object({
  success: z.literal(true),
  data: z.object({ saved_jobs: z.array(Job) }),
  days: z.array(z.number()),
})
const good = { id: 1, tickers: ['SPY'] }
const answer = (saved_jobs: unknown[], more: object = {}) => ({
  success: true,
  data: { saved_jobs },
  days: [1],
  ...more,
})

it('rows that the server could not read are counted by the list they are missing in', () => {
  const answer = { success: true, deployments: [good], left_out: 2 }
  expect(leftOutByServer(answer)).toEqual([{ list: 'deployments', count: 2, total: 3 }])
  expect(leftOutByServer({ ...answer, left_out: 0 })).toEqual([])
  expect(leftOutByServer({ deployments: [good] })).toEqual([])
})

describe('the readable part of an answer', () => {
  it('is the whole answer where everything is readable', () => {
    expect(readablePart(Jobs, answer([good]))).toEqual({ answer: answer([good]), leftOut: [] })
  })

  it.each([
    ['a wrong field', { ...good, id: 'x' }],
    ['a wrong element of its own list', { ...good, tickers: ['SPY', 5] }],
    ['no object', null],
    ['nothing of what is expected', {}],
  ])('leaves out an entry with %s, and says of which list', (_, bad) => {
    expect(readablePart(Jobs, answer([good, bad, { ...good, id: 2 }]))).toEqual({
      answer: answer([good, { ...good, id: 2 }]),
      leftOut: [{ list: 'saved_jobs', count: 1, total: 3 }],
    })
  })

  it('may leave a list empty, and may be a list itself', () => {
    expect(readablePart(z.array(Job), [{ id: 'x' }, { id: 'y' }])).toEqual({
      answer: [],
      leftOut: [{ list: '', count: 2, total: 2 }],
    })
  })

  it('is nothing where something outside of a list is wrong', () => {
    expect(readablePart(Jobs, answer([good, {}], { success: false }))).toBeNull()
    expect(readablePart(Jobs, null)).toBeNull()
    expect(readablePart(Jobs, undefined)).toBeNull()
  })

  it('never shortens a list of numbers, which may belong to another list', () => {
    expect(readablePart(Jobs, answer([good], { days: [1, 'two', 3] }))).toBeNull()
  })

  it('is nothing where the list must not be shorter', () => {
    expect(readablePart(z.object({ ends: z.tuple([Job, Job]) }), { ends: [good, {}] })).toBeNull()
  })
})
