import { civilDate, epochDayOf } from '@tradewright/core/time'
import { defineFeature } from '../feature.ts'

export const month = defineFeature({
  id: 36,
  key: 'month',
  name: 'Month',
  description: 'Month of the bar, 1 to 12.',
  source: 'calendar',
  parameters: [],
  warmUp: () => 0,
  compute: ({ bars }) => bars.timestamps.map((stamp) => civilDate(epochDayOf(stamp)).month),
})
