import { fieldOf, defineTarget, growthAhead, horizonParameter, labelWhere, percentParameter } from '../feature.ts'

export const returnAbove = defineTarget({
  id: 3,
  key: 'return_above_threshold',
  name: 'N-bar return above threshold',
  description: 'The return over this many bars is above the threshold.',
  parameters: [
    horizonParameter(5),
    percentParameter('threshold', 'Threshold (%)', 1, 'Return to be exceeded, in percent.'),
  ],
  horizon: (values) => values.number('horizon'),
  compute: ({ bars }, values) => {
    const threshold = values.number('threshold') / 100
    return labelWhere(growthAhead(fieldOf(bars, 'close'), values.number('horizon')), (growth) => growth > threshold)
  },
})
