import { Study } from '@tradewright/contract/studies'
import { beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { longStudyForm, studiesOf, studyForm } from '../../../test-support/studies.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let ann: RegisteredUser
beforeAll(async () => {
  server = await sharedTestApp()
  ann = await register(server)
})

describe('a parameter study', () => {
  it('evaluates every combination, and each variant as an ordinary backtest', async () => {
    const studies = studiesOf(server, ann)
    const id = await studies.start({ ...studyForm, hold_out_pct: 0 })
    const study = Study.strict().parse(await studies.ended(id))
    expect(study).toMatchObject({ status: 'completed', variants: 9, evaluated: 9, error_message: null })
    expect(study.numbers.map(({ label, present, values }) => ({ label, present, values }))).toEqual([
      { label: expect.stringMatching(/^Window of SPY’s /), present: 200, values: [100, 150, 200] },
      { label: expect.stringMatching(/^Tolerance/), present: expect.any(Number), values: [1, 3, 5] },
    ])
    const { results } = study
    expect(results!.cells).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(results).toMatchObject({ trials: 9, failed: 0, hold_out: null, synthetic: true })
    const best = results!.in_sample.sharpe[results!.best!]!
    expect(best).toBe(Math.max(...results!.in_sample.sharpe.map((value) => value ?? -Infinity)))
    expect(results!.summary.words).not.toBe('')

    // Cell 2: a window of 100 with a tolerance of 5.
    const rules = JSON.parse(studyForm.backtest.rules) as {
      root: { condition: Record<string, Record<string, unknown>> }
    }
    rules.root.condition['right']!['params'] = { ...(rules.root.condition['right']!['params'] as object), window: 100 }
    rules.root.condition['tolerance']!['size'] = 5
    const answer = await postBacktest(server, ann, {
      ...allocationForm,
      'ticker[]': undefined,
      'allocation[]': undefined,
      ...studyForm.backtest,
      rules: JSON.stringify(rules),
    })
    const { sharpe, cagr } = answer.json<{ sharpe: number; cagr: number }>()
    expect(results!.in_sample.cagr[2]).toBeCloseTo(cagr, 9)
    expect(results!.in_sample.sharpe[2]).toBeCloseTo(sharpe, 9)
  })

  it('is listed, found by its owner alone, and deleted', async () => {
    const studies = studiesOf(server, ann)
    const id = await studies.start({ ...studyForm, method: 'random', count: 4, seed: 7 })
    const study = await studies.ended(id)
    expect(study.results!.cells).toHaveLength(4)
    expect(study.results!.hold_out!.sharpe).toHaveLength(4)
    expect(study.results!.hold_out_start).toMatch(/^2021-1/)
    expect((await studies.list())[0]).toMatchObject({ id, strategy_name: 'Trend', method: 'random', variants: 4 })
    const bob = studiesOf(server, await register(server))
    expect(await bob.get(id)).toMatchObject({ code: 'study.missing' })
    expect((await bob.remove(id)).statusCode).toBe(404)
    expect((await studies.remove(id)).statusCode).toBe(200)
    expect(await studies.get(id)).toMatchObject({ code: 'study.missing' })
  })

  it('stops when it is cancelled, and says so', async () => {
    const studies = studiesOf(server, ann)
    const id = await studies.start(longStudyForm)
    expect((await studies.get(id)).progress).not.toBeNull()
    expect((await studies.cancel(id)).statusCode).toBe(200)
    expect(await studies.ended(id)).toMatchObject({ status: 'cancelled', results: null, error_message: null })
    expect((await studies.cancel(id)).statusCode).toBe(200)
  })

  it('that finds no prices fails with the sentence of a backtest', async () => {
    const studies = studiesOf(server, ann)
    const rules = studyForm.backtest.rules.replaceAll('SPY', 'NOSUCHTICKER')
    const id = await studies.start({ ...studyForm, backtest: { ...studyForm.backtest, rules, dataProvider: 'yahoo' } })
    const study = await studies.ended(id)
    expect(study.status).toBe('failed')
    expect(study.error_message).toMatch(/NOSUCHTICKER/)
  })

  it.each([
    [{ numbers: [] }, 400, 'Choose at least one number to vary.'],
    [{ numbers: [{ path: 'root.__proto__.x', from: 1, to: 2, step: 1 }] }, 400, 'The rules have no number at'],
    [{ numbers: [{ path: studyForm.numbers[0]!.path, from: 1, to: 1e300, step: 1e-9 }] }, 400, 'values; at most 200'],
    [
      {
        numbers: [
          { path: studyForm.numbers[0]!.path, from: 2, to: 200, step: 1 },
          { path: studyForm.numbers[1]!.path, from: 0, to: 6, step: 0.05 },
        ],
      },
      400,
      'variants are too many: at most 10,000',
    ],
    [{ method: 'random', count: 10_001 }, 400, 'count'],
    [{ hold_out_pct: 60 }, 400, 'hold_out_pct'],
    [
      {
        backtest: {
          ...studyForm.backtest,
          strategyType: 'Asset Allocation',
          'ticker[]': ['SPY'],
          'allocation[]': ['100'],
        },
      },
      400,
      'needs a strategy of type Rules',
    ],
  ])('is refused with a sentence: %j', async (more, status, sentence) => {
    const answer = await studiesOf(server, ann).send({ ...studyForm, ...more })
    expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(sentence)])
  })
})
