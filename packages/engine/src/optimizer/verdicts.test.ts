import { expect, it } from 'vitest'
import { judgeAll, type Judgement, type Verdict } from './verdicts.ts'

const judgement = (verdict: Verdict): Judgement => ({ value: null, verdict, words: '', sentence: '' })

const judged = (holdOut: Verdict, deflated: Verdict, overfitting: Verdict, stability: Verdict) =>
  judgeAll({
    holdOut: judgement(holdOut),
    deflated: judgement(deflated),
    overfitting: judgement(overfitting),
    stability: judgement(stability),
  }).words

it('calls nothing genuine that did not hold up on unseen data, or may be luck', () => {
  expect(judged('good', 'good', 'good', 'good')).toBe('Looks genuine')
  expect(judged('good', 'good', 'caution', 'good')).toBe('Looks genuine')
  expect(judged('caution', 'good', 'good', 'good')).toBe('Promising, not proven')
  expect(judged('unknown', 'good', 'good', 'good')).toBe('Promising, not proven')
  expect(judged('good', 'caution', 'good', 'good')).toBe('Promising, not proven')
})

it('trusts nothing that fails on unseen data, could well be luck, or fails twice', () => {
  expect(judged('bad', 'good', 'good', 'good')).toBe('Do not trust it yet')
  expect(judged('good', 'bad', 'good', 'good')).toBe('Do not trust it yet')
  expect(judged('good', 'good', 'bad', 'bad')).toBe('Do not trust it yet')
  expect(judged('good', 'good', 'bad', 'good')).toBe('Promising, not proven')
})
