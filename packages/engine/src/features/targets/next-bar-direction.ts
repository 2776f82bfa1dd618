import { fieldOf, defineTarget, growthAhead, labelWhere } from '../feature.ts'

export const nextBarDirection = defineTarget({
  id: 1,
  key: 'next_bar_direction',
  name: 'Next-bar direction',
  description: 'The next close is above this one.',
  parameters: [],
  horizon: () => 1,
  compute: ({ bars }) => labelWhere(growthAhead(fieldOf(bars, 'close'), 1), (growth) => growth > 0),
})
