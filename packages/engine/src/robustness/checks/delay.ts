import { holdingBars, judgedDelay, judgeKept } from '../judge-kept.ts'
import { oneGo, ratio } from '../check.ts'
import { figuresOf, replay } from '../replay.ts'

const DELAYS = [0, 1, 2, 5, 10]
/**
 * The fraction of the Sharpe ratio that must be left a bar late; with less, the sentence says that orders have to be on
 * time.
 */
const LEFT_A_BAR_LATE = 0.5

const barsInWords = (bars: number): string => `${bars} ${bars === 1 ? 'bar' : 'bars'}`

export const delayCheck = oneGo({
  key: 'delay',
  label: 'If orders come late',
  explain:
    'Executes every decision some bars later. Judged at a twentieth of the time that the strategy holds what it holds, at most one ' +
    'bar: below a bar, that part of each order is filled a bar late. A slow result that needs the very next price is not tradable.',
  whyNot: ({ kind }) => (kind === 'allocation' ? 'fixed percentages give no signals that could come late' : undefined),
  find({ material, figures }) {
    const judgedBars = judgedDelay(material.tape)
    const delays = [...new Set([...DELAYS, judgedBars])].sort((a, b) => a - b)
    const runs = delays.map((bars) => {
      const { cagr, sharpe } = figuresOf(material, replay(material, { delayBars: bars }))
      return { bars, cagr, sharpe }
    })
    const sharpeAt = (delay: number) => runs.find(({ bars }) => bars === delay)!.sharpe
    const judgement = judgeKept(
      figures.sharpe,
      sharpeAt(judgedBars),
      `when orders come ${barsInWords(judgedBars)} late (it holds for ${barsInWords(Number(holdingBars(material.tape).toPrecision(2)))} on average)`,
      ['Survives late orders', 'Sensitive to late orders', 'Needs immediate orders'],
    )
    const barLate = sharpeAt(1)
    const isFast = figures.sharpe !== null && barLate !== null && barLate < LEFT_A_BAR_LATE * figures.sharpe
    return {
      judgement:
        isFast && judgedBars < 1 && judgement.value !== null
          ? {
              ...judgement,
              sentence: `${judgement.sentence} A whole bar late leaves ${ratio(barLate)}: orders have to be on time.`,
            }
          : judgement,
      summary: 'Annual return when every decision is carried out some bars later.',
      details: {
        kind: 'bars',
        unit: 'percent',
        bars: runs.map(({ bars, cagr }) => ({
          label: bars === 0 ? 'as run' : barsInWords(bars),
          value: cagr,
          isBase: bars === 0,
        })),
        line: null,
      },
    }
  },
})
