import { fieldOf, defineTarget, growthAhead, horizonParameter, labelWhere } from '../feature.ts'
import { otherTickerParameter } from '../parameters.ts'

export const beatsTicker = defineTarget({
  id: 6,
  key: 'beats_ticker',
  name: 'Beats another ticker',
  description: 'The return over this many bars is above that of the other ticker.',
  parameters: [otherTickerParameter('TLT'), horizonParameter(5)],
  horizon: (values) => values.number('horizon'),
  compute: ({ bars, other }, values) => {
    if (!other) throw new Error('a target of two tickers was computed with one')
    const horizon = values.number('horizon')
    const theirs = growthAhead(fieldOf(other, 'close'), horizon)
    const lead = growthAhead(fieldOf(bars, 'close'), horizon).map((growth, row) => growth - theirs[row]!)
    return labelWhere(lead, (difference) => difference > 0)
  },
})
