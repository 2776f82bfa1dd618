import { expect, it } from 'vitest'
import { checkedDraft, isResumed } from './draft.ts'
import { newForm } from './form.ts'
import { withTable } from '../portfolios/portfolio-table.ts'

const draft = { form: newForm('2026-11-17'), choice: { strategyId: '', backtestId: '5' } }

it('takes up a draft as it was left, with a target and half-typed numbers', () => {
  const target = { id: 1, params: { ticker: 'SPY' } }
  const form = { ...draft.form, startValue: '', target, features: [{ key: 0, id: 7, name: 'RSI', params: {} }] }
  const kept: unknown = JSON.parse(JSON.stringify({ ...draft, form }))
  expect(checkedDraft(kept)).toEqual({ ...draft, form })
})

it('keeps the columns of several portfolios, and their results', () => {
  const form = { ...draft.form, ...withTable(draft.form) }
  const portfolios = [{ id: 12, isBenchmark: false }]
  const kept: unknown = JSON.parse(JSON.stringify({ ...draft, form, portfolios }))
  expect(checkedDraft(kept)).toEqual({ ...draft, form, portfolios })
})

it('takes up a draft from before there were columns as one portfolio', () => {
  const { portfolios: _, ...form } = draft.form
  expect(checkedDraft({ ...draft, form })).toEqual(draft)
})

it('takes up rules with a number that is half typed, and begins with others where a draft has none', () => {
  const root = { kind: 'pick', id: 'p', tickers: ['SPY'], weights: { kind: 'risk-parity', window: 1 } } as const
  const form = { ...draft.form, rules: { ...draft.form.rules, root } }
  expect(checkedDraft(JSON.parse(JSON.stringify({ ...draft, form })))).toEqual({ ...draft, form })
  const { rules: _, ...before } = draft.form
  expect(checkedDraft({ ...draft, form: before })?.form.rules).toEqual(draft.form.rules)
})

it('leaves one alone that lacks a field of the form', () => {
  const { seed: _, ...form } = draft.form
  expect(checkedDraft({ ...draft, form })).toBeNull()
  expect(checkedDraft(undefined)).toBeNull()
})

it('goes before the address only where that asks for nothing else', () => {
  expect(isResumed(draft, { strategyId: '', backtestId: '' })).toBe(true)
  expect(isResumed(draft, { strategyId: '', backtestId: '5' })).toBe(true)
  expect(isResumed(draft, { strategyId: '', backtestId: '6' })).toBe(false)
  expect(isResumed(draft, { strategyId: '2', backtestId: '' })).toBe(false)
  const bare = { strategyId: '', backtestId: '' }
  expect(isResumed(draft, bare, [{ id: 4, isBenchmark: false }])).toBe(false)
  expect(
    isResumed({ ...draft, portfolios: [{ id: 4, isBenchmark: false }] }, bare, [{ id: 4, isBenchmark: false }]),
  ).toBe(true)
})
