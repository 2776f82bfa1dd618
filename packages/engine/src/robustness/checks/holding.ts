import { type Judgement, SUMMARY_WORDS, unknown } from '../../optimizer/verdicts.ts'
import { oneGo, ratio, signedPercent } from '../check.ts'
import type { BoardMaterial } from '../material.ts'
import { constantTape, type CurveFigures, figuresOf, replay } from '../replay.ts'

/** The yardstick of the optimizer: what an asset earns by itself is no merit of a signal. */
export const holdingCheck = oneGo({
  key: 'holding',
  label: 'Against holding',
  explain:
    'Always holds what the strategy trades, with the same costs. What an asset earns by itself is not the merit of a signal.',
  whyNot: ({ holding, kind }) => {
    if (holding) return undefined
    return kind === 'external'
      ? 'a list of allocations is not a single holding'
      : 'fixed percentages are held at all times'
  },
  find({ material, figures }) {
    const held = holdingFigures(material)
    const { name } = material.holding!
    const bar = (label: string, value: number | null, isBase: boolean) => ({ label, value, isBase })
    const reference = material.reference && referenceFigures(material)
    return {
      judgement: judgeHolding(figures, held, name),
      summary: `Annual return of the strategy, of ${name}${material.reference ? ` and of ${material.reference.name}` : ''}.`,
      details: {
        kind: 'bars',
        unit: 'percent',
        bars: [
          bar('Strategy', figures.cagr, true),
          bar('Holding', held.cagr, false),
          ...(material.reference && reference ? [bar(material.reference.name, reference.cagr, false)] : []),
        ],
        line: null,
      },
    }
  },
})

function holdingFigures(material: BoardMaterial): CurveFigures {
  const { settings, table } = material.conditions
  // Rules have no calendar of their own to go back to constant weights by.
  const rebalanceFrequency = material.rebalances ? settings.rebalanceFrequency : ('monthly' as const)
  const held = {
    ...material,
    rebalances: true,
    conditions: { ...material.conditions, settings: { ...settings, rebalanceFrequency } },
  }
  return figuresOf(held, replay(held, { tape: constantTape(material.holding!.weights, table.prices.days.length) }))
}

function judgeHolding(own: CurveFigures, held: CurveFigures, name: string): Judgement {
  if (own.cagr === null || held.cagr === null) return unknown('there is no annual return to compare')
  const sentence =
    `It earned ${signedPercent(own.cagr)} a year at a Sharpe ratio of ${own.sharpe === null ? 'n/a' : ratio(own.sharpe)}; ` +
    `${name} earned ${signedPercent(held.cagr)} at ${held.sharpe === null ? 'n/a' : ratio(held.sharpe)}.`
  const value = own.cagr - held.cagr
  if (value > 0) return { value, verdict: 'good', words: 'Beats holding', sentence }
  return (own.sharpe ?? 0) > (held.sharpe ?? 0)
    ? { value, verdict: 'caution', words: 'Less return than holding, at less risk', sentence }
    : { value, verdict: 'bad', words: SUMMARY_WORDS.noMoreThanHolding, sentence }
}

/** Figures of the reference on the bars at which it has a price. */
export function referenceFigures(material: BoardMaterial): CurveFigures | undefined {
  const { reference } = material
  if (!reference) return undefined
  const fromBar = reference.growth.findIndex((value) => value > 0)
  if (fromBar < 0) return undefined
  const days = material.conditions.table.prices.days.subarray(fromBar)
  const growth = reference.growth.subarray(fromBar)
  return figuresOf(material, { days, growth: growth.map((value) => value / growth[0]!), fromBar })
}
