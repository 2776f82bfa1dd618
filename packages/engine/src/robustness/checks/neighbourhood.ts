import { isFixed, learns, receivesSignals } from '@tradewright/core/strategy-kinds'
import { labelsOf } from '@tradewright/core/ticker'
import { judgeKept, medianOf, oneGo, ratio, skip } from '../check.ts'
import { figuresOf, replay } from '../replay.ts'
import type { BoardMaterial, DecisionTape } from '../material.ts'

const WHAT = {
  allocation: 'other percentages (each up to a fifth more or less)',
  rules: 'one number of the rules up to a fifth larger or smaller',
  ml: 'another probability from which the model buys, so that up to a tenth of its predictions change sides. The model is not trained again with other settings: that would take as long as the run itself',
  external: 'other signals',
} as const

export const neighbourhoodCheck = oneGo({
  key: 'neighbourhood',
  label: 'Settings nearby',
  explain:
    'Changes the settings a little. A real effect does not vanish when a window is a few bars longer; a peak among poor ' +
    'neighbours was found by trying.',
  whyNot: ({ neighbours, kind }) => {
    if (neighbours.length > 0) return undefined
    if (receivesSignals({ kind })) return 'signals come from outside, so there is no setting to change'
    if (learns({ kind })) return 'no other probability to buy from changes up to a tenth of the predictions'
    return isFixed({ kind }) ? 'one ticker alone has no other percentages' : 'there is no number that could be changed'
  },
  find({ material, figures }) {
    const runs = material.neighbours.map(({ label, tape }) => {
      const { sharpe } = figuresOf(material, replay(material, { tape }))
      return { label, sharpe }
    })
    const sharpes = runs.flatMap(({ sharpe }) => (sharpe === null ? [] : [sharpe]))
    if (figures.sharpe === null || sharpes.length === 0) return skip('the strategy has no Sharpe ratio')
    const median = medianOf(sharpes)
    return {
      judgement: judgeKept(figures.sharpe, median, 'in the median of the neighbours', [
        'Neighbours do as well',
        'Neighbours do worse',
        'Only these settings work',
      ]),
      summary: `Sharpe ratio of ${runs.length} runs with ${WHAT[material.kind]}: ${ratio(Math.min(...sharpes))} to ${ratio(Math.max(...sharpes))}.`,
      details: {
        kind: 'dots',
        unit: 'ratio',
        dots: [
          { label: 'as run', value: figures.sharpe, isBase: true },
          ...runs.map(({ label, sharpe }) => ({ label, value: sharpe, isBase: false })),
        ],
        median,
      },
    }
  },
})

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
    return isFixed({ kind }) && rest > 0 && sum > 0 ? left.map((weight) => (weight * sum) / rest) : left
  })
  return { decisions: tape.decisions, weights }
}
