import { dateOf } from '@tradewright/core/time'
import { rulesExamples } from '@tradewright/core/rules/examples'
import { describe, expect, it } from 'vitest'
import { planBacktest } from '../backtest/plan.ts'
import type { BacktestRequest } from '../backtest/request.ts'
import { runBacktest } from '../backtest/run-backtest.ts'
import { randomWalks } from '../backtest/test-support/random-walks.ts'
import { allocationRequest, mlRequest } from '../backtest/test-support/requests.ts'
import { nearestMean } from '../backtest/test-support/nearest-mean.ts'
import { boardParts, joinBoard, runBoard, runBoardPart, checks } from './board.ts'
import { prepareBoard } from './prepare.ts'
import { replay } from './replay.ts'
import { nearbyTrees } from './tapes.ts'
import { allocationStudy, SMALL_EFFORT, timingStudy } from './test-support/studies.ts'

const [FROM, TO] = [dateOf('2012-01-03'), dateOf('2019-12-31')]
const market = randomWalks(
  [{ ticker: 'SPY', drift: 0.08 }, { ticker: 'TLT', drift: 0.03 }, { ticker: 'GLD' }],
  11,
  dateOf('2010-01-04'),
  TO,
)
const period = { from: FROM, to: TO, referenceTicker: 'SPY' }

async function prepared(request: BacktestRequest) {
  const result = await runBacktest(planBacktest(request), market, nearestMean)
  const stored = result.ml && { ...result.ml, timestamps: result.curve.timestamps }
  return { result, ...prepareBoard(request, market, stored, 42) }
}

const trend = rulesExamples.find(({ key }) => key === 'leveraged-trend')!.tree
const rulesTree = JSON.parse(
  JSON.stringify(trend).replaceAll('SPY?L=2', 'GLD').replaceAll('TBILLX', 'TLT'),
) as typeof trend
const monthly = { ...rulesTree, check: 'monthly' as const }
const model = mlRequest(
  {
    features: [
      { id: 7, params: { ticker: 'SPY', window: 14 } },
      { id: 1, params: { ticker: 'SPY', window: 5 } },
    ],
  },
  period,
)

describe.each([
  ['an allocation', allocationRequest({ SPY: 60, TLT: 40 }, { ...period, rebalanceFrequency: 'quarterly' })],
  ['rules', allocationRequest({}, { ...period, strategy: { kind: 'rules', tree: monthly } })],
  ['a model', model],
])('the board of %s', (_, request) => {
  it('replays the run to the last digit and judges it', async () => {
    const { result, material } = await prepared(request)
    const { growth } = replay(material)
    expect(growth.at(-1)! - 1).toBeCloseTo(result.metrics.totalReturn, 12)
    const board = runBoard(material, 42, SMALL_EFFORT)
    expect(board.outcomes.map(({ key }) => key)).toEqual(checks.map(({ key }) => key))
    for (const { key, details, notAvailable } of board.outcomes) {
      expect(details === null, key).toBe(notAvailable !== null)
    }
    expect(JSON.stringify(board)).not.toMatch(/NaN|Infinity|undefined/)
    const numbers: unknown[] = []
    JSON.stringify(board, (__, value: unknown) => (typeof value === 'number' && numbers.push(value), value))
    expect(numbers.every(Number.isFinite)).toBe(true)
  })
})

it('has the same outcome however its parts are shared out', () => {
  const material = timingStudy(3, 0.8, { years: 5 })
  const parts = boardParts(material, 9, SMALL_EFFORT)
  const backwards = parts.toReversed().map((part) => runBoardPart(material, part, SMALL_EFFORT))
  const joined = joinBoard(material, 9, parts, backwards.toReversed(), SMALL_EFFORT)
  expect(joined).toEqual(runBoard(material, 9, SMALL_EFFORT))
  expect(runBoard(material, 10, SMALL_EFFORT)).not.toEqual(joined)
})

it('says why a check does not apply', () => {
  const board = runBoard(allocationStudy(1, 0.5, 1, 5), 1, SMALL_EFFORT)
  const reasons = board.outcomes.flatMap(({ key, notAvailable }) =>
    notAvailable === null ? [] : [[key, notAvailable]],
  )
  expect(Object.fromEntries(reasons)).toMatchObject({
    permuted: 'fixed percentages give no signals that could be shuffled',
    delay: 'fixed percentages give no signals that could come late',
    assets: 'only one asset was ever held',
    neighbourhood: 'one ticker alone has no other percentages',
  })
})

it('checks monthly rules one to twenty sessions later', async () => {
  const rules = allocationRequest({}, { ...period, strategy: { kind: 'rules', tree: monthly } })
  const { tape, laterChecks } = (await prepared(rules)).material
  expect(laterChecks.map(({ label }) => label)).toEqual(Array.from({ length: 20 }, (_, i) => `${i + 1} later`))
  for (const later of laterChecks) expect(later.tape).not.toEqual(tape)
})

it('changes one number of the rules at a time', () => {
  const nearby = nearbyTrees(rulesTree)
  expect(nearby.map(({ label }) => label)).toContain('window 160 in place of 200')
  for (const { tree } of nearby) expect(tree).not.toEqual(rulesTree)
  expect(rulesTree).toEqual(JSON.parse(JSON.stringify(rulesTree)))
})
