import { describe, expect, it } from 'vitest'
import { notAvailable } from './figure.ts'
import { roundTrips, winRate } from './round-trips.ts'
import { turnover } from './turnover.ts'

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

it('turns over once when everything is sold and bought again within a year', () => {
  const trades = [trade(0, 10, 100), trade(1, -10, 100), trade(1, 10, 100)]
  expect(turnover(trades, [1000, 1000], 365.25)).toBe(1)
  expect(turnover(trades, [1000], 0)).toEqual(notAvailable('the period has no length'))
})
