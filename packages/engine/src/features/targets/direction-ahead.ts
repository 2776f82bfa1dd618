import { fieldOf, defineTarget, growthAhead, horizonParameter, labelWhere } from '../feature.ts'

export const directionAhead = defineTarget({
  id: 2,
  key: 'n_bar_direction',
  name: 'N-bar direction',
  description: 'The close this many bars ahead is above this one.',
  parameters: [horizonParameter(5)],
  horizon: (values) => values.number('horizon'),
  compute: ({ bars }, values) =>
    labelWhere(growthAhead(fieldOf(bars, 'close'), values.number('horizon')), (growth) => growth > 0),
})
