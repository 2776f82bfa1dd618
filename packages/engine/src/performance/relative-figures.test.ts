import { expect, it } from 'vitest'
import { type Figure, isAvailable, valueOf } from './figure.ts'
import { relativeFigures } from './relative-figures.ts'
import { gainToPain, omega, shapeFigures, tailFigures } from './drawdown.ts'

const curve = (...values: number[]) => Float64Array.from(values)
const days = Int32Array.of(0, 31, 59, 90, 120)
const base = { days, riskFree: undefined, barsPerYear: 12 }
const reasonOf = (figure: Figure) => (isAvailable(figure) ? undefined : figure.notAvailable)

it('has beta 2 of a curve that always moves twice as far', () => {
  const reference = curve(1, 1.1, 1.045, 1.1495, 1.092025)
  const growth = curve(1, 1.2, 1.08, 1.296, 1.1664)
  const figures = relativeFigures({ ...base, growth, reference })
  expect(valueOf(figures.beta)).toBeCloseTo(2, 10)
  expect(valueOf(figures.alpha)).toBeCloseTo(0, 10)
  expect(valueOf(figures.rSquared)).toBeCloseTo(1, 10)
  expect(valueOf(figures.upCapture)).toBeCloseTo(2, 10)
  expect(valueOf(figures.downCapture)).toBeCloseTo(2, 10)
})

it('measures on the bars that the reference has, and says why it cannot', () => {
  const growth = curve(1, 1.2, 1.08, 1.296, 1.1664)
  const late = relativeFigures({ ...base, growth, reference: curve(NaN, NaN, NaN, 1, 1.1) })
  expect(reasonOf(late.beta)).toMatch('fewer than three')
  const still = relativeFigures({ ...base, growth, reference: curve(1, 1, 1, 1, 1) })
  expect(reasonOf(still.beta)).toBe('the reference does not vary')
  expect(reasonOf(still.upCapture)).toBe('the reference rose in no month')
})

it('gives reasons and no infinity where nothing was lost or too little is known', () => {
  expect(reasonOf(omega([0.1, 0.2]))).toBe('no return was negative')
  expect(reasonOf(gainToPain([0.1]))).toBe('no month lost')
  expect(reasonOf(tailFigures([0.1]).valueAtRisk)).toMatch('at least 20')
  expect(reasonOf(shapeFigures([0.1, 0.1]).skewness)).toBe('the returns do not vary')
})
