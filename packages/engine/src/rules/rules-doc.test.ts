import { readFileSync } from 'node:fs'
import type { RulesTree } from '@tradewright/core/rules/tree'
import { dateOf, dayStamp } from '@tradewright/core/time'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { describe, expect, it } from 'vitest'
import { barKnownAt, nyse } from '../market/trading-calendar.ts'
import type { SeriesTable } from '../market/series.ts'
import { cashSeries } from '../market/derived-series.ts'
import { compileRules } from './compile.ts'
import { RulesEvaluator } from './evaluator.ts'
import { rulesInputs } from './inputs.ts'
import type { RulesProgram } from './program.ts'

/** The worked examples of docs/rules.md: a tree as JSON, and the table that follows it. */
interface Example {
  title: string
  tree: RulesTree
  header: string[]
  rows: string[][]
}

function examples(): Example[] {
  const page = readFileSync(new URL('../../../../docs/rules.md', import.meta.url), 'utf8')
  const found: Example[] = []
  for (const section of page.split(/^## /m).slice(1)) {
    const title = section.slice(0, section.indexOf('\n'))
    for (const [, json, table] of section.matchAll(/```json\n([\s\S]*?)```\n\n((?:\|.*\n)+)/g)) {
      const [header, , ...rows] = table!
        .trim()
        .split('\n')
        .map((line) =>
          line
            .slice(1, -1)
            .split('|')
            .map((cell) => cell.trim()),
        )
      found.push({ title: `${title} ${found.length + 1}`, tree: JSON.parse(json!) as RulesTree, header: header!, rows })
    }
  }
  return found
}

const all = examples()

it('finds the examples of the page', () => {
  expect(all.length).toBeGreaterThanOrEqual(13)
})

describe('every table of docs/rules.md is what the engine does', () => {
  it.each(all)('$title', ({ tree, header, rows }) => {
    const timestamps = Float64Array.from(rows, ([date]) => dayStamp(dateOf(date!)))
    const series = new Map(
      header.flatMap((name, i) => (/^[A-Z]+$/.test(name) ? [[name, tableOf(name, timestamps, rows, i)] as const] : [])),
    )
    const program = compileRules(tree)
    const inputs = rulesInputs(
      program,
      {
        timestamps,
        decisionAt: timestamps.map((stamp) => barKnownAt(nyse, stamp, '1d')),
        calendar: nyse,
        granularity: '1d',
        barsPerYear: 252,
      },
      (ticker) => series.get(ticker) ?? cash(timestamps),
    )
    const evaluator = new RulesEvaluator(program, inputs)
    const ours = rows.map((row, bar) => {
      const check = evaluator.evaluate(bar)
      return header.map((name, i) => {
        if (name === 'holds') return check ? holdings(program, check.weights) : '–'
        if (name === 'trades') return check?.trades ? 'yes' : 'no'
        return name.startsWith('`') ? answer(program, evaluator, name.slice(1, -1)) : row[i]!
      })
    })
    expect(ours).toEqual(rows)
  })
})

function tableOf(ticker: string, timestamps: Float64Array, rows: string[][], column: number): SeriesTable {
  return {
    ticker,
    granularity: '1d',
    type: tickerKind(ticker),
    currency: 'USD',
    timestamps,
    columns: { close: Float64Array.from(rows, (row) => Number(row[column])) },
    sources: [],
  }
}

const cash = (timestamps: Float64Array): SeriesTable => ({
  ...tableOf('CASHX', timestamps, [], 0),
  columns: { close: cashSeries(timestamps) },
})

function holdings({ tickers }: RulesProgram, weights: Float64Array): string {
  const percent = (weight: number) => String(Math.round(weight * 10_000) / 100)
  const held = tickers.flatMap((ticker, i) =>
    Math.abs(weights[i]!) > 1e-9 ? [`${ticker} ${percent(weights[i]!)}`] : [],
  )
  const rest = 1 - weights.reduce((sum, weight) => sum + weight, 0)
  return [...held, ...(rest > 1e-9 ? [`cash ${percent(rest)}`] : [])].join(', ')
}

function answer({ conditions }: RulesProgram, { answers }: RulesEvaluator, id: string): string {
  return ['?', 'no', 'yes'][answers[conditions.findIndex((one) => one.id === id)]! + 1]!
}
