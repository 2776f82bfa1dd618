import { expect, it } from 'vitest'
import { lineThrough, scaleOf, ticksOf } from './scale.ts'

it('puts values between the ends of a plot, from zero where bars stand on it', () => {
  const { at } = scaleOf([0.1, 0.2], { zero: true })
  expect(at(0)).toBe(0)
  expect(at(0.2)).toBeLessThan(100)
  const down = scaleOf([-0.1, -0.3], { zero: true })
  expect(down.at(0)).toBe(100)
  expect(scaleOf([5, 5]).at(5)).toBe(50)
})

it('has a few round ticks', () => {
  expect(ticksOf({ low: -0.013, high: 0.131 })).toEqual([0, 0.05, 0.1])
  expect(ticksOf({ low: 0.2, high: 1.3 })).toEqual([0.5, 1])
})

it('draws upwards', () => expect(lineThrough([[0, 0]])).toBe('0.00,100.00'))
