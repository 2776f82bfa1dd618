import { expect, it } from 'vitest'
import { judgeAll, judgeHoldOut, type Judgement, type Verdict } from './verdicts.ts'
import type { HoldOutScores } from './winner.ts'

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

it('does not call an accuracy weaker that is only no better than a constant answer', () => {
  const holdOut = { accuracy: 0.54, sharpe: 0.4, baseRate: 0.65 } as HoldOutScores
  expect(judgeHoldOut(holdOut, 'accuracy', 0.52)).toMatchObject({
    verdict: 'caution',
    words: 'No better than a constant answer',
  })
  expect(judgeHoldOut(holdOut, 'sharpe', 1.5)).toMatchObject({ verdict: 'caution', words: 'Weaker on unseen data' })
})
