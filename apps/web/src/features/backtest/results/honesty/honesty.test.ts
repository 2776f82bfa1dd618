import { describe, expect, it } from 'vitest'
import type { StudioResult } from '../../answer/studio-result.ts'
import { checksOf } from './honesty.ts'

const accuracy = { accuracy: 0.61, base_rate: 0.55, p_value: 0.01, label_overlap: 20, naive: null, rows: 250 }

/** As much of a result as the checks read. */
const resultWith = (more: object) =>
  ({
    synthetic: false,
    synthetic_tickers: [],
    series_sources: [],
    data_sources: { simulation: { providers: [] } },
    settings: { trading_cost_bps: 5, commission: 0, fill_timing: 'next_open' },
    metrics: { number_of_trades: 1, fees: 1, traded_value: 1 },
    honesty: {
      truncation: { passed: true, checked_instants: 3, failed_features: [] },
      shuffled_labels: { ...accuracy, accuracy: null, passed: true },
      rows_purged: 20,
      usable_rows: 900,
    },
    accuracy_details: accuracy,
    figure_notes: {},
    walk_forward_windows: null,
    walk_forward_summary: null,
    ...more,
  }) as unknown as StudioResult

const check = (title: string, more: object) => checksOf(resultWith(more)).find((one) => one.title === title)!

describe('the edge over the base rate', () => {
  it('tells p and how far labels overlap', () => {
    const { verdict, sentence } = check('Edge over the base rate', {})
    expect(verdict).toBe('Passed')
    expect(sentence).toBe('Accuracy 61.0% against 55.0% over 250 rows, whose labels overlap over 20 bars. p 0.010.')
  })

  it('is none where the level of volatility alone is as accurate', () => {
    const naive = { by: 'volatility_level', accuracy: 0.62 }
    const { verdict, sentence } = check('Edge over the base rate', { accuracy_details: { ...accuracy, naive } })
    expect(verdict).toBe('Caution')
    expect(sentence).toContain('the level of volatility alone would have reached 62.0%')
    expect(sentence).toContain('of what the model adds to the level of volatility')
  })

  it('says why an old result has no p-value', () => {
    const { verdict, sentence } = check('Edge over the base rate', {
      accuracy_details: { ...accuracy, p_value: null, label_overlap: null },
      figure_notes: { 'accuracy_details.p_value': 'the result was saved earlier' },
    })
    expect(verdict).toBe('Caution')
    expect(sentence).toContain('Not available because the result was saved earlier.')
  })
})

describe('consistency', () => {
  const window = (own: number, base_rate: number) => ({ accuracy: own, base_rate, test_rows: 100 })
  const walk_forward_windows = [window(0.53, 0.55), window(0.6, 0.52), window(0.54, 0.6)]

  it('compares each window with its own base rate, not with one half', () => {
    const { verdict, sentence } = check('Consistency', {
      walk_forward_windows,
      walk_forward_summary: { step_size: 100 },
    })
    expect(verdict).toBe('Caution')
    expect(sentence).toMatch(/^1 of 3 windows beat their own base rate; the worst was .6\.0/)
  })

  it('says that windows which overlap are not separate proofs', () => {
    const { sentence } = check('Consistency', { walk_forward_windows, walk_forward_summary: { step_size: 25 } })
    expect(sentence).toContain('Windows share test dates, so they are not separate proofs.')
  })
})

describe('where the prices come from', () => {
  const traded = (ticker: string, provider: string, synthetic = false) => ({
    ticker,
    used_for: 'traded',
    providers: [{ provider, start: '2020-01-02', end: '2024-12-31', rows: 1_258 }],
    synthetic,
  })

  it('is told of real prices beside a synthetic rate', () => {
    const rate = { ...traded('DTB3', 'sample', true), used_for: 'rate' }
    const series_sources = [traded('SPY', 'csv'), traded('TLT', 'yahoo'), rate]
    expect(check('Data source', { series_sources })).toMatchObject({
      verdict: 'Passed',
      sentence: 'Prices come from your CSV, Yahoo Finance.',
    })
  })

  it('names the synthetic tickers of a mix', () => {
    const more = {
      synthetic: true,
      synthetic_tickers: ['AGG'],
      series_sources: [traded('AGG', 'sample', true), traded('SPY', 'csv')],
    }
    expect(check('Data is synthetic', more).sentence).toBe(
      'Prices of AGG were generated for demonstration. The return says nothing about real markets. Those of SPY are real, but the result mixes both.',
    )
  })
})
