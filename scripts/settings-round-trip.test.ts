import { type BacktestSetting, settingEntries } from '@tradewright/core/backtest-settings'
import { fieldEntries, type StrategyField } from '@tradewright/core/strategy-fields'
import { rulesExamples } from '@tradewright/core/rules/examples'
import { strategyKindOf, strategyKinds, type StrategyType } from '@tradewright/core/strategy-kinds'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formOfStrategy } from '../apps/cli/src/strategy-file.ts'
import { strategyReader } from '../apps/server/src/areas/proposals.ts'
import { callOf, runnableOf, toDomain } from '../apps/server/src/http/backtests/form.ts'
import { type BacktestForm, newForm } from '../apps/web/src/features/backtest/form/form.ts'
import { fromSavedStrategy } from '../apps/web/src/features/backtest/form/form-reading.ts'
import { toRequest } from '../apps/web/src/features/backtest/form/form-request.ts'
import { settingFields } from '../apps/web/src/strategy-form/settings-form.ts'

const TODAY = '2026-11-14'

const OWN = {
  'Asset Allocation': { allocations: [{ key: 0, ticker: 'SPY', leverage: 2, allocation: 60 }] },
  ML: {
    features: [{ key: 0, id: 7, name: '7', params: { ticker: 'SPY', window: 14 } }],
    target: { id: 1, params: { ticker: 'SPY' } },
    signal1Allocations: [{ key: 0, ticker: 'QQQ', allocation: 100 }],
    signal0Allocations: [{ key: 0, ticker: 'BIL', allocation: 100 }],
  },
  Rules: { rules: rulesExamples[0]!.tree },
  'External signal': {},
} satisfies Record<StrategyType, Partial<BacktestForm>>

type Field = BacktestSetting | StrategyField

/** Values that a form may have of a setting, each within its bounds. */
function valuesOf(name: string, field: Field): fc.Arbitrary<unknown> | undefined {
  const own: Record<string, fc.Arbitrary<unknown>> = {
    // Both together make 100, and the second follows the first.
    trainSize: fc.integer({ min: 1, max: 99 }),
    testSize: fc.constant(undefined),
    max_features: fc.constantFrom('sqrt', 'log2', 'auto', 'all', '7'),
    min_samples_leaf: fc.constantFrom(1, 5, 0.05),
    min_samples_split: fc.integer({ min: 2, max: 50 }),
    wfTrainWindowPct: fc.integer({ min: 1, max: 80 }),
    wfTestWindowPct: fc.integer({ min: 1, max: 20 }),
    wfStepSizePct: fc.constantFrom('', 1, 5),
    dataProvider: fc.constantFrom('auto', 'yahoo', 'sample'),
  }
  if (own[name]) return own[name]
  const mayBeEmpty = 'default' in field && field.default === undefined
  const orEmpty = (some: fc.Arbitrary<unknown>) => (mayBeEmpty ? fc.oneof(some, fc.constant('')) : some)
  switch (field.type) {
    case 'date':
      return fc.constantFrom('2015-01-02', '2021-12-30')
    case 'flag':
      return fc.boolean()
    case 'ticker':
      return orEmpty(fc.constantFrom('SPY', 'BTC-USD'))
    case 'choice':
      return orEmpty(fc.constantFrom(...Object.keys(field.choices)))
    case 'choice or percent':
      return fc.constantFrom(...Object.keys(field.choices), '40', '33.5')
    case 'number':
    case 'whole': {
      const { min, above, max, below } = field.bounds ?? {}
      const least = min ?? above ?? -1000
      const most = Math.min(max ?? below ?? 10_000, least + 10_000)
      const step = field.type === 'whole' ? 1 : (most - least) / 1000
      const from = above === undefined ? 0 : 1
      const to = Math.floor((most - least) / step) - (below === undefined ? 0 : 1)
      return orEmpty(fc.integer({ min: from, max: to }).map((at) => Number((least + at * step).toPrecision(6))))
    }
    case 'object':
    case 'rows':
    case 'selection':
    case 'selections':
    case 'word':
    default:
      return undefined
  }
}

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const arbitraries = Object.fromEntries(
  [...settingEntries, ...fieldEntries].flatMap(([name, field]) => {
    const values = valuesOf(name, field)
    return values ? [[camelCase(name), values] as const] : []
  }),
)

/** A form in which what its kind does not have, or what does not count beside another choice, is as in a new one. */
function formOf(strategyType: StrategyType, given: Record<string, unknown>): BacktestForm {
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const form = { ...newForm(TODAY), ...OWN[strategyType], strategyType, ...values }
  const sizes = { testSize: 100 - Number(form.trainSize) }
  const counted = new Set(settingFields(form, strategyKindOf(strategyType)).map(([name]) => camelCase(name)))
  const usual = Object.entries(newForm(TODAY)).filter(([name]) => name in arbitraries && !counted.has(name))
  const isEmptied = ([name]: [string, unknown]) => values[name] !== ''
  const rest = Object.fromEntries(usual.filter(isEmptied))
  const { wfStepSizePct, wfTrainWindowPct, wfTestWindowPct } = newForm(TODAY)
  // Windows that are not used are not saved.
  const windows = !form.walkForwardEnabled && { wfStepSizePct, wfTrainWindowPct, wfTestWindowPct }
  return { ...form, ...sizes, ...rest, ...windows, isPeriodChosen: true, strategyName: 'One' }
}

const forms = (type: StrategyType) => fc.record(arbitraries).map((given) => formOf(type, given))

function sent(form: BacktestForm): Parameters<typeof toDomain>[0] {
  const call: Record<string, string | string[]> = {}
  for (const [name, text] of [...toRequest(form, '').entries()] as [string, string][]) {
    const before = call[name] ?? []
    call[name] = name.endsWith('[]') ? [...(Array.isArray(before) ? before : [before]), text] : text
  }
  return call
}

const saved = (form: BacktestForm): Record<string, unknown> => {
  const { run } = toDomain(sent(form))
  return JSON.parse(JSON.stringify(run.config)) as Record<string, unknown>
}

describe.each(strategyKinds.map(({ label }) => label))('%s', (type) => {
  it('is the same form after it was sent, saved and read again', () => {
    fc.assert(
      fc.property(forms(type), (form) => {
        const read = fromSavedStrategy({ name: 'One', strategy_type: type, config: saved(form) }, TODAY)
        // A saved strategy has no settings of models that it does not use.
        const own = Object.fromEntries(
          Object.entries(read).filter(([name]) => name in arbitraries || name in OWN[type]),
        )
        expect(own).toEqual(
          Object.fromEntries(Object.keys(own).map((name) => [name, form[name as keyof BacktestForm]])),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('is read alike by Studio, deployment, proposal, agent and command line', () => {
    fc.assert(
      fc.property(forms(type), (form) => {
        const config = saved(form)
        const strategy = {
          id: 1,
          name: 'One',
          description: null,
          type,
          config,
          createdAt: new Date(0),
          updatedAt: new Date(0),
        }
        const ran = toDomain(sent(form)).run
        expect(toDomain({ ...callOf(config), strategyType: type }).run.request).toEqual(ran.request)
        expect(toDomain(formOfStrategy({ name: 'One', strategy_type: type, config })).run.request).toEqual(ran.request)
        const proposed = strategyReader({ now: () => new Date('2026-11-14') })({ settings: config })
        expect(proposed.request).toEqual(ran.request)
        const { request, model, provider } = runnableOf(strategy)
        const { tradingCostBps, fillTiming, maintenanceMargin, shortBorrowPct } = ran.request
        expect(request).toMatchObject({ tradingCostBps, fillTiming, maintenanceMargin, strategy: ran.request.strategy })
        expect({ model, provider, short: request.shortBorrowPct }).toEqual({
          model: ran.model,
          provider: ran.provider,
          short: shortBorrowPct,
        })
      }),
      { numRuns: 20 },
    )
  })
})

describe('a strategy that was written by hand', () => {
  const config = {
    features: [{ id: 7, params: { ticker: 'SPY', window: 14 } }],
    target: { id: 1, params: { ticker: 'SPY' } },
    signal1_allocation: { SPY: 100 },
    signal0_allocation: { BIL: 100 },
    trainSize: 0.8,
    testSize: 0.2,
    start_date: '2020-01-02',
    end_date: '2024-12-31',
  }

  it('sells into the same ticker in the Studio, in a deployment, by an agent and by the command line', () => {
    const strategy = { id: 1, name: 'One', description: null, type: 'ML' as const, config }
    const opened = fromSavedStrategy({ name: 'One', strategy_type: 'ML', config }, TODAY)
    const requests = {
      studio: toDomain(sent(opened)).run.request,
      deployment: runnableOf({ ...strategy, createdAt: new Date(0), updatedAt: new Date(0) }).request,
      agent: strategyReader({ now: () => new Date('2026-11-14') })({ settings: config }).request,
      assistant: toDomain({ ...callOf(config), strategyType: 'ML' }).run.request,
      'command line': toDomain(formOfStrategy({ ...config, type: 'ML' })).run.request,
    }
    const { studio } = requests
    expect(studio.strategy).toMatchObject({ trainPct: 80, sell: [{ ticker: 'BIL', allocationPct: 100 }] })
    for (const [reader, request] of Object.entries(requests)) {
      expect(request.strategy, reader).toEqual(studio.strategy)
      expect(request.from, reader).toBe(studio.from)
    }
  })
})
