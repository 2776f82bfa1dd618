import { describe, expect, it } from 'vitest'
import { judgeHoldOut } from './report.ts'
import { judgeAll, judgeDeflated, type Judgement, type Verdict } from './verdicts.ts'
import type { HoldOutScores } from './winner.ts'

const judgement = (verdict: Verdict): Judgement => ({ value: null, verdict, words: '', sentence: '' })

const holdOut = (more: Partial<HoldOutScores> = {}): HoldOutScores => ({
  accuracy: 0.54,
  f1: 0.5,
  sharpe: 1.3,
  cagr: 0.2,
  baseRate: 0.5,
  holding: { sharpe: 1, cagr: 0.1 },
  period: { from: 0, to: 100 },
  rows: 100,
  ...more,
})

const judged = (
  parts: readonly [Verdict, Verdict, Verdict, Verdict],
  scores: HoldOutScores | undefined = holdOut(),
) => {
  const [first, deflated, overfitting, stability] = parts.map(judgement)
  return judgeAll({ holdOut: first!, deflated: deflated!, overfitting: overfitting!, stability: stability! }, scores)
}

it('calls nothing genuine that did not hold up on unseen data, or may be luck', () => {
  expect(judged(['good', 'good', 'good', 'good']).words).toBe('Looks genuine')
  expect(judged(['good', 'good', 'caution', 'good']).words).toBe('Looks genuine')
  expect(judged(['caution', 'good', 'good', 'good']).words).toBe('Promising, not proven')
  expect(judged(['unknown', 'good', 'good', 'good'], undefined).words).toBe('Promising, not proven')
  expect(judged(['good', 'caution', 'good', 'good']).words).toBe('Promising, not proven')
})

it('trusts nothing that fails on unseen data, could well be luck, or fails twice', () => {
  expect(judged(['bad', 'good', 'good', 'good']).words).toBe('Do not trust it yet')
  expect(judged(['good', 'bad', 'good', 'good']).words).toBe('Do not trust it yet')
  expect(judged(['good', 'good', 'bad', 'bad']).words).toBe('Do not trust it yet')
  expect(judged(['good', 'good', 'bad', 'good']).words).toBe('Promising, not proven')
})

it('never praises a winner that earned less than holding, whatever the other checks say', () => {
  const less = holdOut({ cagr: 0.145, holding: { sharpe: 2.13, cagr: 0.34 } })
  expect(judged(['good', 'good', 'good', 'good'], less)).toMatchObject({
    verdict: 'bad',
    words: 'Earned no more than holding',
  })
  expect(judged(['caution', 'good', 'good', 'good'], less).verdict).toBe('caution')
})

describe('the hold-out', () => {
  const search = { overall: { accuracy: 0.52, f1: 0.5, sharpe: 1.5, cagr: 0.3 }, holding: { sharpe: 1, cagr: 0.2 } }
  const judge = (metric: 'accuracy' | 'sharpe' | 'cagr', more: Partial<HoldOutScores> = {}) =>
    judgeHoldOut({ ...search, holdOut: holdOut(more) }, metric)

  it('is good where the winner beats holding by half of what it did in the search', () => {
    expect(judge('sharpe')).toMatchObject({ verdict: 'good', words: 'Beats holding on unseen data' })
    expect(judge('cagr')).toMatchObject({ verdict: 'good' })
    expect(judge('cagr', { cagr: 0.14 })).toMatchObject({ verdict: 'caution', words: 'Weaker on unseen data' })
  })

  it('is not where holding earned more, as with SPY at 14.5 % against 34 %', () => {
    const spy = { sharpe: 1.3, cagr: 0.145, holding: { sharpe: 2.13, cagr: 0.34 } }
    for (const metric of ['sharpe', 'cagr'] as const) {
      expect(judge(metric, spy)).toMatchObject({ verdict: 'bad', words: 'Earned no more than holding' })
    }
    expect(judge('sharpe', spy).sentence).toContain(
      'It earned 14.5% a year there; always holding the buy allocation earned 34.0% at a Sharpe ratio of 2.13.',
    )
    expect(judge('accuracy', spy)).toMatchObject({
      verdict: 'caution',
      words: 'Accurate, but earned no more than holding',
    })
  })

  it('tells less risk from less return', () => {
    expect(judge('sharpe', { cagr: 0.09, sharpe: 1.4 })).toMatchObject({
      verdict: 'caution',
      words: 'Less return than holding, at less risk',
    })
    expect(judge('cagr', { cagr: -0.05, holding: { sharpe: -1, cagr: -0.2 } })).toMatchObject({
      verdict: 'caution',
      words: 'Lost less than holding',
    })
  })

  it('does not call an accuracy weaker that is only no better than a constant answer', () => {
    expect(judge('accuracy', { baseRate: 0.65 })).toMatchObject({
      verdict: 'caution',
      words: 'No better than a constant prediction',
    })
  })
})

it('says that the deflated Sharpe ratio is about beating holding', () => {
  const { sentence } = judgeDeflated({ probability: 0.979, trials: 500, sharpePerBar: 0.1, luckySharpePerBar: 0.2 })
  expect(sentence).toContain(
    'the confidence that it beats always holding the buy allocation, by timing that is more than chance, is 97.9%',
  )
})
