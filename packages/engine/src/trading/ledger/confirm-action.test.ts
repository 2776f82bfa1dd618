import { Decimal } from '@tradewright/core/decimal'
import { describe, expect, it } from 'vitest'
import type { ListedAction } from '../../market/provider.ts'
import { confirmationOf } from './confirm-action.ts'
import { transfer } from './entry.ts'

const entry = (moved: Record<string, string>) => ({
  legs: Object.entries(moved).flatMap(([asset, amount]) =>
    transfer('market', 'deployment:1', asset, Decimal.parse(amount)),
  ),
})

const listed = (more: Partial<ListedAction>): ListedAction => ({
  ticker: 'LSI',
  day: 19_558,
  shares: [],
  cashPerShare: 0,
  isKept: false,
  ...more,
})
const verdict = (moved: Record<string, string>, ...actions: Partial<ListedAction>[]) =>
  confirmationOf(entry(moved), actions.map(listed))?.verdict

const exr = { shares: [{ ticker: 'EXR', perShare: 0.895 }] }

describe('a booked corporate action and what market data list', () => {
  it.each([
    ['the same shares', { LSI: '-100', EXR: '89.5' }, exr, 'confirmed'],
    ['the same shares but for a fraction that is paid out', { LSI: '-100', EXR: '89', USD: '70' }, exr, 'confirmed'],
    ['a short position', { LSI: '100', EXR: '-89.5' }, exr, 'confirmed'],
    ['other shares', { LSI: '-100', EXR: '100' }, exr, 'contradicted'],
    ['shares of another ticker', { LSI: '-100', PSA: '89.5' }, exr, 'contradicted'],
    ['shares that are gone without what they became', { LSI: '-100' }, exr, 'contradicted'],
    ['the same money', { LSI: '-100', USD: '537' }, { cashPerShare: 5.37 }, 'confirmed'],
    ['money that is still to come', { LSI: '-100' }, { cashPerShare: 5.37 }, 'confirmed'],
    ['other money', { LSI: '-100', USD: '53.7' }, { cashPerShare: 5.37 }, 'contradicted'],
    ['a spin-off', { SRM: '5' }, { ...exr, isKept: true, shares: [{ ticker: 'SRM', perShare: 0.05 }] }, 'confirmed'],
    ['another event', { GE: '-10', GEHC: '10' }, exr, undefined],
    ['a spin-off of which something else came', { GEHC: '5' }, { ...exr, isKept: true }, undefined],
  ])('%s', (_, moved, action, expected) => {
    expect(verdict(moved, action)).toBe(expected)
  })

  it.each([
    ['of what was held', '5', [100], 'confirmed'],
    ['of what was held but for a fraction', '4', [99], 'confirmed'],
    ['of what was held on its day, before some were sold', '5', [100, 0], 'confirmed'],
    ['of borrowed shares', '-5', [-100], 'confirmed'],
    ['of another number', '50', [100], 'contradicted'],
    ['of shares that were not there', '5', [0], 'contradicted'],
    ['of a number that is not known', '50', [], 'confirmed'],
  ])('a spin-off %s', (_, received, held, expected) => {
    const action = listed({ isKept: true, shares: [{ ticker: 'SRM', perShare: 0.05 }] })
    expect(confirmationOf(entry({ SRM: received }), [action], () => held)?.verdict).toBe(expected)
  })

  it('one of several listed ones is enough', () => {
    expect(verdict({ LSI: '-100', EXR: '89.5' }, { cashPerShare: 1 }, exr)).toBe('confirmed')
  })
})
