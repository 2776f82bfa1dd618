import { expect, it } from 'vitest'
import { newForm } from '../form/form.ts'
import { type PlannedRun, runOnCommonPeriod } from './run-on-common-period.ts'

const planned = (...tickers: string[]): PlannedRun[] =>
  tickers.map((ticker) => ({
    title: ticker,
    isBenchmark: ticker === 'SPY',
    form: {
      ...newForm('2026-11-17'),
      startDate: '1993-01-01',
      includeFirstReturn: true,
      allocations: [{ key: 0, ticker, allocation: 100 }],
    },
  }))

/** A server whose tickers have these first days. */
function server(firstDays: Record<string, string>, { isCancelled = false } = {}) {
  const runs: string[] = []
  const discarded: number[] = []
  const calls = {
    run: async ({ allocations: [row], startDate, includeFirstReturn }: PlannedRun['form']) => {
      const first = firstDays[row!.ticker]
      if (first === undefined) throw new Error(`There is no data for ${row!.ticker}.`)
      runs.push(`${row!.ticker} ${startDate}${includeFirstReturn ? ' with its first return' : ''}`)
      return { id: runs.length, start: first > startDate ? first : startDate }
    },
    discard: async (id: number) => void discarded.push(id),
    goesOn: () => !isCancelled,
  }
  return { calls, runs, discarded }
}

it('runs again what began before the youngest ticker, from that day, and drops the earlier run', async () => {
  const { calls, runs, discarded } = server({ AGG: '2003-09-29', DBC: '2006-02-06', SPY: '1993-01-29' })
  const outcomes = await runOnCommonPeriod(planned('AGG', 'DBC', 'SPY'), calls)
  expect(runs).toEqual(['AGG 1993-01-01 with its first return', 'DBC 2003-09-29', 'SPY 2006-02-06', 'AGG 2006-02-06'])
  expect(discarded).toEqual([1])
  expect(outcomes).toEqual([
    { title: 'AGG', isBenchmark: false, id: 4 },
    { title: 'DBC', isBenchmark: false, id: 2 },
    { title: 'SPY', isBenchmark: true, id: 3 },
  ])
})

it('runs each once where all of them have data from the start', async () => {
  const { calls, runs, discarded } = server({ AGG: '1990-01-02', SPY: '1990-01-02' })
  await runOnCommonPeriod(planned('AGG', 'SPY'), calls)
  expect(runs).toEqual(['AGG 1993-01-01 with its first return', 'SPY 1993-01-01 with its first return'])
  expect(discarded).toEqual([])
})

it('keeps the others where one fails, and says why', async () => {
  const { calls } = server({ AGG: '2003-09-29', SPY: '1993-01-29' })
  const outcomes = await runOnCommonPeriod(planned('AGG', 'ZZZZQ', 'SPY'), calls)
  expect(outcomes).toMatchObject([{ id: 1 }, { error: new Error('There is no data for ZZZZQ.') }, { id: 2 }])
})

it('stops when it was cancelled', async () => {
  const { calls, runs } = server({ SPY: '1993-01-29' }, { isCancelled: true })
  await expect(runOnCommonPeriod(planned('ZZZZQ', 'SPY'), calls)).rejects.toThrow('ZZZZQ')
  expect(runs).toEqual([])
})
