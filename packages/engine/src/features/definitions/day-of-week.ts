import { epochDayOf, weekday } from '@tradewright/core/time'
import { defineFeature } from '../feature.ts'

export const dayOfWeek = defineFeature({
  id: 35,
  key: 'day_of_week',
  name: 'Day of week',
  description: 'Day of the bar: 1 is Monday, 7 is Sunday.',
  source: 'ISO 8601',
  parameters: [],
  warmUp: () => 0,
  compute: ({ bars }) => bars.timestamps.map((stamp) => ((weekday(epochDayOf(stamp)) + 6) % 7) + 1),
})
