import { describe, expect, it } from 'vitest'
import { notAvailable } from './figure.ts'
import { holdingPeriods, roundTrips, winRate, turnover } from './trading-activity.ts'

const trade = (bar: number, quantity: number, price: number, fee = 0) => ({ bar, ticker: 'A', quantity, price, fee })

describe('roundTrips', () => {
  it('sells at average cost', () => {
    const trips = roundTrips([trade(0, 10, 100), trade(1, 10, 120), trade(2, -5, 130), trade(3, -15, 90)])
    expect(trips).toMatchObject([
      { openedAt: 0, closedAt: 2, quantity: 5, entryPrice: 110, exitPrice: 130, profit: 100 },
      { closedAt: 3, quantity: 15, profit: -300 },
    ])
    expect(winRate(trips)).toBe(0.5)
  })

  it('goes through zero', () => {
    const trips = roundTrips([trade(0, 10, 100), trade(1, -30, 110, 3), trade(2, 20, 100)])
    expect(trips.map(({ quantity, profit }) => [quantity, profit])).toEqual([
      [10, 100 - 1],
      [-20, 200 - 2],
    ])
  })

  it('has no win rate while nothing was sold', () => {
    expect(winRate(roundTrips([trade(0, 10, 100)]))).toEqual(notAvailable('nothing was sold'))
  })
})

describe('holdingPeriods', () => {
  // Bought at 100, a little sold at a profit at each rebalance, and all of it sold at a loss in the end.
  const scraps = [
    trade(0, 10, 100, 1),
    trade(1, -1, 110, 1),
    trade(2, -1, 120, 1),
    trade(3, 1, 105, 1),
    trade(4, -9, 80, 1),
  ]

  it('count a position once, however often it was rebalanced', () => {
    expect(holdingPeriods(scraps)).toEqual([
      { ticker: 'A', openedAt: 0, closedAt: 4, profit: -1000 + 110 + 120 - 105 + 720 - 5 },
    ])
    expect(winRate(holdingPeriods(scraps))).toBe(0)
    expect(winRate(roundTrips(scraps))).toBeCloseTo(2 / 3, 12)
  })

  it('leave out what is still held', () => {
    const periods = holdingPeriods(scraps.slice(0, 4))
    expect(winRate(periods, 'no position was sold in full')).toEqual(notAvailable('no position was sold in full'))
  })

  it('end where a position goes through zero, each side with its part of the fee', () => {
    const periods = holdingPeriods([trade(0, 10, 100), trade(1, -30, 110, 3), trade(2, 20, 100)])
    expect(periods.map(({ openedAt, closedAt, profit }) => [openedAt, closedAt, profit])).toEqual([
      [0, 1, 100 - 1],
      [1, 2, 200 - 2],
    ])
  })

  it('end although the parts of a position do not add up to nothing in floating point', () => {
    const periods = holdingPeriods([
      trade(0, 0.1, 100),
      trade(1, 0.2, 100),
      trade(2, -0.3, 101),
      trade(3, 5, 10),
      trade(4, -5, 9),
    ])
    expect(periods.map(({ closedAt }) => closedAt)).toEqual([2, 4])
  })
})

it('turns over once when everything is sold and bought again within a year', () => {
  const trades = [trade(0, 10, 100), trade(1, -10, 100), trade(1, 10, 100)]
  expect(turnover(trades, [1000, 1000], 365.25)).toBe(1)
  expect(turnover(trades, [1000], 0)).toEqual(notAvailable('the period has no length'))
})
