import { dateOf } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { firstSeed, tellShare } from '../../../../scripts/campaign-seeds.ts'
import { type RandomWalk, randomWalks } from '../backtest/test-support/random-walks.ts'
import { searchRequest } from './test-support/made-up-search.ts'
import { nestedRun } from './test-support/nested-search.ts'

const SEEDS = Number(process.env['SEEDS'] ?? 40)
const FROM = dateOf('2010-01-04')
const TO = dateOf('2021-12-31')
const WARM_UP_DAYS = 300

it.each([
  ['rises', 0.06],
  ['goes nowhere', 0],
  ['falls', -0.08],
])('calls at most 5 in 100 searches of noise genuine on an asset that %s', async (name, drift) => {
  let genuine = 0
  for (let seed = firstSeed; seed < firstSeed + SEEDS; seed++) {
    const walks: RandomWalk[] = [{ ticker: 'TGT', drift }, { ticker: 'SIG' }, { ticker: 'NO1' }, { ticker: 'NO2' }]
    const data = randomWalks(walks, seed, FROM - WARM_UP_DAYS, TO)
    const request = searchRequest({
      from: FROM,
      to: TO,
      seed,
      model: { kind: 'linear' },
      breeding: { populationSize: 8, generations: 2, mutationRate: 0.2, maxFeatures: 3 },
      nestedWindows: 4,
    })
    const { report } = await nestedRun(request, data)
    if (report.judgement.verdict === 'good') genuine++
  }
  tellShare(`nested, an asset that ${name}: ${genuine} of ${SEEDS} searches of noise look genuine`)
  expect(genuine / SEEDS).toBeLessThanOrEqual(0.05)
})
