import { expect, it } from 'vitest'
import { graded, unknown } from '../optimizer/verdicts.ts'
import { runBoard, judgeBoard } from './board.ts'
import { type CheckOutcome, holdingBars } from './check.ts'
import { allocationStudy, SMALL_EFFORT, timingStudy } from './test-support/studies.ts'

// Few seeds; `npm run campaign` takes 200 of each, and docs/method.md has its rates.
const SEEDS = Array.from({ length: 5 }, (_, i) => i + 1)
const genuine = (boards: readonly ReturnType<typeof runBoard>[]) =>
  boards.filter(({ verdict }) => verdict.words === 'Looks genuine').length

it('does not call noise genuine', () => {
  expect(genuine(SEEDS.map((seed) => runBoard(timingStudy(seed, 0), seed, SMALL_EFFORT)))).toBeLessThanOrEqual(1)
  expect(genuine(SEEDS.map((seed) => runBoard(allocationStudy(seed, 0), seed, SMALL_EFFORT)))).toBeLessThanOrEqual(1)
})

it('calls a planted edge genuine', () => {
  expect(genuine(SEEDS.map((seed) => runBoard(timingStudy(seed, 1.5), seed, SMALL_EFFORT)))).toBeGreaterThanOrEqual(3)
  expect(genuine(SEEDS.map((seed) => runBoard(allocationStudy(seed, 0.9), seed, SMALL_EFFORT)))).toBeGreaterThanOrEqual(
    4,
  )
})

const outcome = (key: string, more: Partial<CheckOutcome>): CheckOutcome => ({
  key,
  label: `Check ${key}`,
  explain: '',
  judgement: null,
  notAvailable: null,
  summary: '',
  figures: [],
  details: null,
  ...more,
})
const judged = (key: string, verdict: 'good' | 'caution' | 'bad', value = 0) =>
  outcome(key, {
    judgement: {
      ...graded(value, verdict === 'good', verdict === 'caution', ['', '', '']),
      sentence: '',
    },
  })

it.each([
  [
    'is too short',
    outcome('bootstrap', { notAvailable: 'the run has fewer than 60 bars' }),
    'the run has fewer than 60 bars',
  ],
  ['cannot be computed', outcome('bootstrap', { judgement: unknown('nothing varies') }), 'nothing varies'],
])('cannot tell anything where the test against luck %s', (_, bootstrap, why) => {
  expect(judgeBoard([bootstrap, judged('costs', 'good')], { kind: 'allocation' })).toMatchObject({
    verdict: 'unknown',
    words: 'Cannot be told',
    sentence: `Whether it is more than chance could not be tested because ${why}.`,
  })
})

it('says that timing was not tested where too little was traded', () => {
  const permuted = outcome('permuted', { notAvailable: 'what is held changed fewer than 4 times' })
  const { verdict, sentence } = judgeBoard([judged('bootstrap', 'good'), permuted], { kind: 'ml' })
  expect(verdict).toBe('caution')
  expect(sentence).toContain('could not be tested because what is held changed fewer than 4 times')
})

it('does not say that a loss looks good', () => {
  const { verdict, sentence } = judgeBoard([judged('bootstrap', 'bad', 0.99)], { kind: 'allocation' })
  expect(verdict).toBe('bad')
  expect(sentence).not.toContain('looks good')
  expect(judgeBoard([judged('bootstrap', 'bad', 0.3)], { kind: 'allocation' }).sentence).toContain('looks good')
})

it('does not trust a plan that is likely to be used up', () => {
  const outcomes = [judged('bootstrap', 'good'), judged('costs', 'good'), judged('future', 'bad', 0.4)]
  expect(judgeBoard(outcomes, { kind: 'allocation' })).toMatchObject({ verdict: 'bad', words: 'Do not trust it yet' })
})

it('names what failed', () => {
  const passed = ['bootstrap', 'future', 'costs'].map((key) => judged(key, 'good'))
  expect(judgeBoard([...passed, judged('halves', 'bad')], { kind: 'allocation' })).toMatchObject({
    verdict: 'caution',
    sentence: expect.stringContaining('one does not: Check halves.') as string,
  })
})

it('calls a run of a few weeks, and an account of bills, neither promising nor dependent on a few days', () => {
  const { verdict } = runBoard(allocationStudy(1, 2, 2, 0.15), 1, SMALL_EFFORT)
  expect(verdict.words).toBe('Cannot be told')
  const still = runBoard(allocationStudy(1, 0, 1, 5, 0), 1, SMALL_EFFORT)
  expect(still.verdict.words).toBe('Cannot be told')
  const daily = still.outcomes.filter(({ key }) => key === 'best-days' || key === 'start-dates')
  expect(daily.map(({ notAvailable }) => notAvailable)).toEqual(Array(2).fill('the strategy has no Sharpe ratio'))
})

it('judges an account that never moves in no regime, whatever bills pay', () => {
  const still = allocationStudy(1, 0, 1, 5, 0)
  const riskFree = Float64Array.from(still.conditions.table.prices.days.subarray(1), (_, step) => 1e-4 + 1e-8 * step)
  const regimes = runBoard({ ...still, riskFree }, 1, SMALL_EFFORT).outcomes.find(({ key }) => key === 'regimes')
  expect(regimes?.notAvailable).toBe('the strategy has no Sharpe ratio')
})

it('does not tell off a true edge of a day, and says that its orders have to be on time', () => {
  const boards = [1, 2, 3].map((seed) => runBoard(timingStudy(seed, 2, { holdingBars: 2 }), seed, SMALL_EFFORT))
  const words = boards.map(({ verdict }) => verdict.words)
  expect(words.filter((one) => one === 'Do not trust it yet')).toEqual([])
  for (const { outcomes } of boards) {
    const sentence = (key: string) => outcomes.find((one) => one.key === key)!.judgement!.sentence
    expect(sentence('delay')).toMatch(/when orders come 0.1 bars late \(it holds for (1.9|2|2.1) bars on average\)/)
    expect(sentence('delay')).toContain('orders have to be on time')
    expect(sentence('costs')).toContain('at 2 times the cost (2 bps')
  }
})

it('judges a slow strategy a whole bar late at five times the cost', () => {
  const { outcomes } = runBoard(timingStudy(1, 1.5, { holdingBars: 30 }), 1, SMALL_EFFORT)
  const sentence = (key: string) => outcomes.find((one) => one.key === key)!.judgement!.sentence
  expect(sentence('delay')).toContain('1 bar late')
  expect(sentence('costs')).toContain('at 5 times the cost')
})

it('counts a change of what is held by its size', () => {
  const weights = [0, 1, 0.99].map((weight) => Float64Array.of(weight))
  const taken = (places: number[]) => holdingBars({ decisions: Int32Array.from(places), weights })
  expect(taken([1, 0, 1, 0, 1, 0])).toBe(1)
  expect(taken([1, 2, 1, 2, 1, 2])).toBe(1)
  // One change of everything and four of a hundredth.
  expect(taken([1, 2, 1, 2, 1, 0])).toBeCloseTo(6 / (1 + 1 + 0.04), 10)
  expect(taken([1, -1, -1, -1])).toBe(4)
})
