import { expect, it } from 'vitest'
import { formatFitness, formatPerformance, measureOf } from './form.ts'

it('shows CAGR and accuracy as a percent with 2 decimals [OPT-140]', () => {
  expect(formatFitness('cagr', 0.12345)).toBe('12.35%')
  expect(formatFitness('accuracy', 0.5)).toBe('50.00%')
})

it('shows Sharpe with 2 decimals and any other measure with 4 [OPT-141]', () => {
  expect(formatFitness('sharpe', 1.239)).toBe('1.24')
  expect(formatFitness('f1_score', 0.5)).toBe('0.5000')
  expect(formatFitness('accuracy', null)).toBe('N/A')
})

it('measures a consistency ratio by itself, and only over windows', () => {
  const run = { evaluation_metric: 'accuracy', wf_fitness_mode: 'consistency_ratio' }
  expect(measureOf({ ...run, walk_forward_enabled: true })).toBe('consistency_ratio')
  expect(measureOf({ ...run, walk_forward_enabled: false })).toBe('accuracy')
})

it('shows the performance with 1 decimal [OPT-142]', () => {
  expect(formatPerformance('accuracy', 0.5678)).toBe('56.8%')
  expect(formatPerformance('cagr', -0.1234)).toBe('−12.3%')
  expect(formatPerformance('cagr', 0.1742)).toBe('+17.4%')
  expect(formatPerformance('f1_score', null)).toBe('n/a')
})
