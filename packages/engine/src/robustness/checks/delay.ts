import { judgeKept } from '../judge-kept.ts'
import { oneGo } from '../check.ts'
import { figuresOf, replay } from '../replay.ts'

const DELAYS = [0, 1, 2, 5, 10]
const JUDGED = 1

export const delayCheck = oneGo({
  key: 'delay',
  label: 'If orders come late',
  explain: 'Executes every decision some bars later. A result that needs the very next price is not tradable.',
  whyNot: ({ kind }) => (kind === 'allocation' ? 'fixed percentages give no signals that could come late' : undefined),
  find({ material, figures }) {
    const runs = DELAYS.map((bars) => {
      const { cagr, sharpe } = figuresOf(material, replay(material, { delayBars: bars }))
      return { bars, cagr, sharpe }
    })
    const judged = runs.find(({ bars }) => bars === JUDGED)!
    return {
      judgement: judgeKept(figures.sharpe, judged.sharpe, 'when every order comes one bar late', [
        'Survives late orders',
        'Sensitive to late orders',
        'Needs immediate orders',
      ]),
      summary: 'Annual return when every decision is carried out some bars later.',
      details: {
        kind: 'bars',
        unit: 'percent',
        bars: runs.map(({ bars, cagr }) => ({
          label: bars === 0 ? 'as run' : `${bars} ${bars === 1 ? 'bar' : 'bars'}`,
          value: cagr,
          isBase: bars === 0,
        })),
        line: null,
      },
    }
  },
})
