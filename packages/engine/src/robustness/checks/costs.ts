import { DEFAULT_COST_BPS } from '../../trading/costs.ts'
import { holdingBars, judgedCostMultiple, judgeKept } from '../judge-kept.ts'
import { oneGo } from '../check.ts'
import { figuresOf, replay } from '../replay.ts'
import { referenceFigures } from './holding.ts'

const MULTIPLES = [1, 2, 5]

export const costsCheck = oneGo({
  key: 'costs',
  label: 'If trading costs more',
  explain:
    'Trades the same decisions at two and five times the cost. Spreads and fees are rarely what was assumed. A strategy that holds for 20 bars ' +
    'or more is judged at five times the cost, one that holds for 8 or less at twice.',
  find({ material, figures }) {
    const { tradingCostBps, commission } = material.conditions.settings
    const isFree = tradingCostBps === 0 && commission === 0
    const own = isFree ? DEFAULT_COST_BPS : tradingCostBps
    const judgedMultiple = judgedCostMultiple(material.tape)
    const multiples = [...new Set([...MULTIPLES, judgedMultiple])].sort((a, b) => a - b)
    const runs = multiples.map((multiple) => {
      const varied = replay(material, { costBps: own * multiple, costMultiple: multiple })
      const { cagr, sharpe } = figuresOf(material, varied)
      return { multiple, cagr, sharpe }
    })
    const reference = referenceFigures(material)
    const judged = runs.find(({ multiple }) => multiple === judgedMultiple)!
    const holding = Number(holdingBars(material.tape).toPrecision(2))
    const label = (multiple: number) => `${Number((own * multiple).toPrecision(4))} bps`
    const when = `at ${judgedMultiple} times the cost (${label(judgedMultiple)}${material.kind === 'allocation' ? '' : `; it holds for ${holding} bars on average`})`
    return {
      judgement: judgeKept(figures.sharpe, judged.sharpe, when, [
        'Survives higher costs',
        'Sensitive to costs',
        'Loses its return to costs',
      ]),
      summary: isFree
        ? `Annual return. The run itself had no costs; ${DEFAULT_COST_BPS} bps is the usual assumption.`
        : 'Annual return at one, two and five times the cost.',
      details: {
        kind: 'bars',
        unit: 'percent',
        bars: [
          ...(isFree ? [{ label: 'free', value: figures.cagr, isBase: true }] : []),
          ...runs.map(({ multiple, cagr }) => ({
            label: label(multiple),
            value: cagr,
            isBase: !isFree && multiple === 1,
          })),
        ],
        line:
          reference?.cagr !== null && reference !== undefined
            ? { label: material.reference!.name, value: reference.cagr }
            : null,
      },
    }
  },
})
