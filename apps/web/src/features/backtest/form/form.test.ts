import { describe, expect, it } from 'vitest'
import { editForm, newForm } from './form.ts'

const form = newForm('2026-11-14')

describe('the form at the start', () => {
  it('ends today and starts 5 years earlier [BT-158]', () => {
    expect(form).toMatchObject({ startDate: '2021-11-14', endDate: '2026-11-14' })
    expect(newForm('2028-02-29').startDate).toBe('2023-02-28')
  })

  it('has the defaults of the backtest [BT-159..BT-164]', () => {
    expect(form).toMatchObject({
      startValue: 10_000,
      cashflow: 0,
      cashflowFreq: 'Yearly',
      investDividends: true,
      adjustInflation: false,
      dataProvider: 'auto',
      dataGranularity: 'daily',
    })
  })

  it('has the defaults of ML, with an automatic step [BT-165..BT-168]', () => {
    expect(form).toMatchObject({
      mlModelType: 'Random Forest',
      trainSize: 70,
      testSize: 30,
      nEstimators: 3000,
      maxFeatures: 'sqrt',
      minSamplesLeaf: 3,
      minSamplesSplit: 3,
      wfTrainWindowPct: 50,
      wfTestWindowPct: 10,
      wfStepSizePct: '',
    })
  })
})

describe('editing', () => {
  it('keeps a period from the moment at which one of its dates is typed', () => {
    expect(editForm(form, { seed: 1 }).isPeriodChosen).toBe(false)
    expect(editForm(form, { startDate: '2020-01-02' }).isPeriodChosen).toBe(true)
    expect(editForm(form, { endDate: '2024-12-31' }).isPeriodChosen).toBe(true)
    expect(editForm(form, { endDate: '2024-12-31', isPeriodChosen: false }).isPeriodChosen).toBe(false)
  })

  it('keeps train and test size at 100 together, whichever is changed [BT-109]', () => {
    expect(editForm(form, { trainSize: 62.5 })).toMatchObject({ trainSize: 62.5, testSize: 37.5 })
    expect(editForm(form, { testSize: 10 })).toMatchObject({ trainSize: 90, testSize: 10 })
    expect(editForm(form, { testSize: '' })).toMatchObject({ trainSize: '', testSize: '' })
    expect(editForm(form, { trainSize: 50, testSize: 20 })).toMatchObject({ trainSize: 50, testSize: 20 })
  })
})
