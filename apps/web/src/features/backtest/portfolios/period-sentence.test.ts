import { expect, it } from 'vitest'
import { periodSentence } from './period-sentence.ts'

const period = { start_date: '2006-02-06', end_date: '2026-11-16', start_ticker: null, end_ticker: null }

it('names the tickers that make the common period as short as it is', () => {
  expect(periodSentence(period)).toBe('6 Feb 2006 – 16 Nov 2026, the period that all of them have in common.')
  expect(periodSentence({ ...period, start_ticker: 'DBC?L=2', end_ticker: 'FB' })).toBe(
    '6 Feb 2006 – 16 Nov 2026, the period that all of them have in common. It starts on 6 Feb 2006 because DBC starts ' +
      'then. It ends on 16 Nov 2026 because FB ends then.',
  )
})
