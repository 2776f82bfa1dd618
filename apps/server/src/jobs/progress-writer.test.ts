import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { JobProgress } from './job.ts'
import { ProgressWriter } from './job-run.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const step = (number: number): JobProgress => ({ fraction: number / 1000, note: `step ${number}` })

it('writes at once, then the newest four times a second', async () => {
  const written: string[] = []
  const writer = new ProgressWriter(({ note }) => Promise.resolve(void written.push(note)))
  for (let number = 1; number <= 1000; number++) {
    writer.write(step(number))
    await vi.advanceTimersByTimeAsync(1)
  }
  await vi.advanceTimersByTimeAsync(1000)
  expect(written[0]).toBe('step 1')
  expect(written.at(-1)).toBe('step 1000')
  expect(written.length).toBeLessThanOrEqual(5)
})

it('never writes twice at once', async () => {
  const first = Promise.withResolvers<void>()
  const written: string[] = []
  const writer = new ProgressWriter(({ note }) => {
    written.push(note)
    return first.promise
  })
  writer.write(step(1))
  writer.write(step(2))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(written).toEqual(['step 1'])
  first.resolve()
  await vi.advanceTimersByTimeAsync(1)
  expect(written).toEqual(['step 1', 'step 2'])
})

it('leaves unwritten progress to the write that ends the job', async () => {
  const written: string[] = []
  const writer = new ProgressWriter(({ note }) => Promise.resolve(void written.push(note)))
  writer.write(step(1))
  writer.write(step(2))
  expect(writer.drainUnwritten()).toEqual(step(2))
  await vi.advanceTimersByTimeAsync(1000)
  expect(written).toEqual(['step 1'])
  expect(writer.drainUnwritten()).toBeNull()
})

it('turns a fraction that is none into "cannot tell", and keeps the others between 0 and 1', () => {
  const writer = new ProgressWriter(() => Promise.resolve())
  const seen = [Number.NaN, Infinity, -1, 2, 0.5].map((fraction) => {
    writer.write({ fraction: 0, note: '' })
    writer.write({ fraction, note: '' })
    return writer.drainUnwritten()?.fraction
  })
  expect(seen).toEqual([null, null, 0, 1, 0.5])
})
