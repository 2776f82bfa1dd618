import { describe, expect, it } from 'vitest'
import { assetsOf, editForm, newForm } from './form.ts'

const form = newForm('2026-11-14')

describe('the form at the start', () => {
  it('ends today, starts 2 years earlier and aims at BTC-USD [OPT-129, OPT-135]', () => {
    expect(form).toMatchObject({ startDate: '2024-11-14', endDate: '2026-11-14', targetTickers: 'BTC-USD' })
  })

  it('has the defaults of the search [OPT-130..132]', () => {
    expect(form).toMatchObject({
      populationSize: 50,
      generations: 20,
      mutationRate: 0.1,
      maxFeatures: 10,
      evaluationMetric: 'accuracy',
      earlyStopping: false,
      esPatience: 3,
      esMinImprovement: 0.001,
    })
  })

  it('has the defaults of the model and of the fitness [OPT-133, OPT-134, OPT-136, OPT-137]', () => {
    expect(form).toMatchObject({
      nEstimators: 100,
      minSamplesLeaf: 1,
      minSamplesSplit: 2,
      maxFeaturesRf: 'sqrt',
      wfFitnessMode: 'mean_only',
      variancePenalty: 0.5,
      varianceExponent: 1,
    })
  })
})

it('keeps train and test size at 100 together, whichever is changed [OPT-086]', () => {
  expect(editForm(form, { trainSize: 80 })).toMatchObject({ trainSize: 80, testSize: 20 })
  expect(editForm(form, { testSize: 40 })).toMatchObject({ trainSize: 60, testSize: 40 })
})

it('lets features look at the targets and at the related assets', () => {
  expect(assetsOf({ ...form, relatedTickers: 'spy, btc-usd' })).toEqual(['BTC-USD', 'SPY'])
})
