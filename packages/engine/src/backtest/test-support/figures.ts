import { metricsOf } from '@tradewright/core/metric-catalogue'
import { formatDate } from '@tradewright/core/time'
import { type Figure, isAvailable } from '../../performance/figure.ts'
import type { CurveMetrics } from '../metrics.ts'
import type { BacktestResult } from '../result.ts'

/** Ten digits: enough to notice any change of a rule, few enough to be the same on every processor. */
const rounded = (value: number): number => Number(value.toPrecision(10))

const shown = (figure: Figure): number | string =>
  isAvailable(figure) ? rounded(figure) : `n/a because ${figure.notAvailable}`

/** Every metric of a curve, in the order of the catalogue. */
const curveFigures = (metrics: CurveMetrics) => ({
  ...Object.fromEntries(
    metricsOf('curve').flatMap(({ key }) => {
      const value = metrics[key as keyof CurveMetrics]
      return typeof value === 'object' && 'depth' in value ? [] : [[key, shown(value)]]
    }),
  ),
  maxDrawdown: rounded(metrics.maxDrawdown.depth),
  maxDrawdownFrom: formatDate(metrics.maxDrawdown.peak),
  maxDrawdownTo: formatDate(metrics.maxDrawdown.trough),
})

/** The figures of a result that a golden file keeps. */
export function figuresOf(result: BacktestResult): Record<string, unknown> {
  const { curve, metrics, ml, reference } = result
  return {
    from: formatDate(curve.days[0]!),
    to: formatDate(curve.days.at(-1)!),
    bars: curve.days.length,
    endValue: rounded(curve.values.at(-1)!),
    nominalEndValue: rounded(curve.nominalValues.at(-1)!),
    ...curveFigures(metrics),
    moneyWeightedReturn: shown(result.moneyWeightedReturn),
    bestMonth: metrics.bestMonth && rounded(metrics.bestMonth.return),
    worstMonth: metrics.worstMonth && rounded(metrics.worstMonth.return),
    turnover: shown(metrics.turnover),
    exposure: rounded(metrics.exposure),
    trades: metrics.tradeCount,
    holdingWinRate: shown(metrics.holdingWinRate),
    winRate: shown(metrics.winRate),
    fees: rounded(metrics.fees),
    dividends: rounded(metrics.dividends),
    interest: rounded(metrics.interest),
    riskFree: result.riskFree,
    ...(reference ? { reference: curveFigures(reference.metrics) } : {}),
    ...(ml
      ? {
          accuracy: shown(ml.accuracy.accuracy),
          baseRate: shown(ml.accuracy.baseRate),
          pValue: shown(ml.accuracy.pValue),
          usableRows: ml.usableRows,
          buys: ml.signals.filter((signal) => signal === 1).length,
          shuffledAccuracy: shown(ml.honesty.shuffledLabels.accuracy),
          windows: ml.walkForward?.windows.map(({ accuracy, metrics: own }) => [
            shown(accuracy.accuracy),
            shown(own.cagr),
            shown(own.sharpe),
          ]),
        }
      : {}),
  }
}
