import { judgeKept } from '../judge-kept.ts'
import { medianOf, oneGo, ratio, skip } from '../check.ts'
import { figuresOf, replay } from '../replay.ts'

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
    if (kind === 'external') return 'signals come from outside, so there is no setting to change'
    if (kind === 'ml') return 'no other probability to buy from changes up to a tenth of the predictions'
    return kind === 'allocation'
      ? 'one ticker alone has no other percentages'
      : 'there is no number that could be changed'
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
