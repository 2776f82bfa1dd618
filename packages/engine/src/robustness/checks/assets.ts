import { labelsOf } from '@tradewright/core/ticker'
import { judgeKept } from '../judge-kept.ts'
import { oneGo } from '../check.ts'
import type { BoardMaterial, DecisionTape } from '../material.ts'
import { figuresOf, replay } from '../replay.ts'

const MAX_SHOWN = 12

export const assetsCheck = oneGo({
  key: 'assets',
  label: 'Without one asset',
  explain:
    'Removes each asset in turn: with fixed percentages the others take its place, otherwise cash does. A result that came ' +
    'from one asset is a result about that asset.',
  whyNot: ({ tape }) => (heldTickers(tape).length < 2 ? 'only one asset was ever held' : undefined),
  find({ material, figures }) {
    const tickers = labelsOf(material.conditions.table.prices.tickers)
    const runs = heldTickers(material.tape).map((place) => {
      const { sharpe } = figuresOf(material, replay(material, { tape: tapeWithout(material, place) }))
      return { ticker: tickers[place]!, sharpe }
    })
    const worst = runs.toSorted((a, b) => (a.sharpe ?? 0) - (b.sharpe ?? 0))
    const first = worst[0]!
    return {
      judgement: judgeKept(figures.sharpe, first.sharpe, `without ${first.ticker}`, [
        'No single asset decides',
        'One asset matters much',
        'One asset decides',
      ]),
      summary: `Sharpe ratio without each of ${runs.length} assets${runs.length > MAX_SHOWN ? `, the ${MAX_SHOWN} that matter most` : ''}.`,
      details: {
        kind: 'bars',
        unit: 'ratio',
        bars: [
          { label: 'all', value: figures.sharpe, isBase: true },
          ...worst
            .slice(0, MAX_SHOWN)
            .map(({ ticker, sharpe }) => ({ label: `no ${ticker}`, value: sharpe, isBase: false })),
        ],
        line: null,
      },
    }
  },
})

function heldTickers({ decisions, weights }: DecisionTape): number[] {
  const used = new Set(decisions)
  const held = new Set<number>()
  weights.forEach((row, place) => {
    if (used.has(place)) row.forEach((weight, ticker) => weight !== 0 && held.add(ticker))
  })
  return [...held].toSorted((a, b) => a - b)
}

function tapeWithout({ kind, tape }: BoardMaterial, ticker: number): DecisionTape {
  const weights = tape.weights.map((row) => {
    const sum = row.reduce((total, weight) => total + weight, 0)
    const left = row.with(ticker, 0)
    const rest = sum - row[ticker]!
    // Percentages that add up to nothing without it have no shares to hand on.
    return kind === 'allocation' && rest > 0 && sum > 0 ? left.map((weight) => (weight * sum) / rest) : left
  })
  return { decisions: tape.decisions, weights }
}
