import { dateOf } from '@tradewright/core/time'
import { defaultSettings } from '@tradewright/engine/backtest/request'
import { expect, it } from 'vitest'
import { formOfConfig } from './config-form.ts'
import { externalStrategy } from './external-form.ts'
import { configOf } from './saved-config.ts'

it('gives the list of an external signal back as it was saved', () => {
  const list =
    '{"allocations":[{"name":"risk-on","rows":[{"ticker":"SPY","allocation":100}]}],"initial":null,"max_weight_pct":null}'
  const strategy = externalStrategy(list, undefined)
  const request = { ...defaultSettings, from: dateOf('2020-01-02'), to: dateOf('2021-12-31'), strategy }
  const saved = configOf({ request, model: undefined, provider: 'sample' } as Parameters<typeof configOf>[0])
  expect(externalStrategy(formOfConfig(saved).external, undefined)).toEqual(strategy)
})
