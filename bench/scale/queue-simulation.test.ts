import { expect, it } from 'vitest'
import { busyThreads, simulateQueue, type WorkKind } from './queue-simulation.ts'

const oneKind: WorkKind[] = [{ name: 'short', isShort: true, perUserHour: 60, seconds: 30 }]

it('agrees with the formula for one kind of work and one queue (M/M/c)', () => {
  // 1 arrival a second would need 30 threads; 0.5 busy of one: the wait of M/M/1 is rho / (1 - rho) times the service time.
  const figures = simulateQueue({ users: 1, threads: 1, hours: 2000, seed: 1 }, oneKind)
  expect(busyThreads(1, oneKind)).toBe(0.5)
  expect(figures.utilisation).toBeCloseTo(0.5, 1)
  // P(wait > t) = rho * exp(-t / (s / (1 - rho))): 5 % at 60 * ln(10) s.
  expect(figures.shortWaitP95 / (60 * Math.log(10))).toBeCloseTo(1, 1)
})

it('gives the same figures for the same seed, and lets short work go before long', () => {
  const load = { users: 2000, threads: 13, hours: 0.5, seed: 7 }
  const figures = simulateQueue(load)
  expect(simulateQueue(load)).toEqual(figures)
  expect(figures.shortWaitP95).toBeLessThan(1)
  expect(figures.longStretchMedian).toBeGreaterThan(1)
})
