import type { MonthReplay } from '@tradewright/contract/live-trading-watch'
import type { TimeChartLines } from '../../../ui/chart/draw-time-chart.ts'

export const replayLines = ({ points, start_value, synthetic_tickers }: MonthReplay): TimeChartLines => ({
  strategy: points.map(({ timestamp, value }) => ({ time: Math.floor(Date.parse(timestamp) / 1000), value })),
  reference: null,
  drawdown: null,
  startValue: start_value,
  watermark: synthetic_tickers.length > 0 ? 'Synthetic sample data' : 'Replay',
  isLogScale: false,
})
