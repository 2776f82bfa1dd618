import { kindNamed } from '@tradewright/core/strategy-kinds'
import { metricOf } from '@tradewright/core/metric-catalogue'
import type { StudioResult } from '../../answer/studio-result.ts'
import {
  formatMoney,
  formatPercent,
  formatPercentagePoints,
  formatPValue,
  formatRatio,
  formatSignedPercent,
  formatSignedRatio,
} from '../../../../lib/format.ts'
import { Delta, Figure, MetricsStrip } from '../../../../ui/table/figure.tsx'
import { HOW, howOf } from './explanations.ts'
import { metricText } from './metric-value.ts'
import type { CurveView } from '../view.ts'
import { reasonOf } from './reason.ts'

/** CAGR, Sharpe and, of a strategy that predicts, Accuracy lead; a strategy that does not has its risk instead. */
export function MetricsBox({ result, view }: { result: StudioResult; view: CurveView }) {
  const name = result.reference_backtest_name ?? ''
  const isMl = kindNamed(result.strategy_type).learns
  const note = (figure: string) => reasonOf(result, view.notePath + figure)
  return (
    <MetricsStrip>
      <Figure
        label="CAGR"
        how={howOf('cagr', result)}
        note={
          view.cagr === null
            ? note('cagr')
            : view.referenceCagr !== null && (
                <>
                  <Delta value={view.cagr - view.referenceCagr} withArrow>
                    {formatPercentagePoints(view.cagr - view.referenceCagr)}
                  </Delta>{' '}
                  vs {name} {formatSignedPercent(view.referenceCagr)}
                </>
              )
        }
      >
        {view.cagr === null ? 'n/a' : <Delta value={view.cagr}>{formatSignedPercent(view.cagr)}</Delta>}
      </Figure>
      <Figure
        label="Sharpe"
        how={howOf('sharpe', result)}
        note={
          view.sharpe === null
            ? note('sharpe')
            : view.referenceSharpe !== null && (
                <>
                  <Delta value={view.sharpe - view.referenceSharpe} withArrow>
                    {formatSignedRatio(view.sharpe - view.referenceSharpe)}
                  </Delta>{' '}
                  vs {name} {formatRatio(view.referenceSharpe)}
                </>
              )
        }
      >
        {view.sharpe === null ? 'n/a' : formatRatio(view.sharpe)}
      </Figure>
      {isMl ? (
        <Figure
          label="Accuracy"
          how={HOW.accuracy}
          note={accuracyNote(view, note('accuracy') ?? note('target_accuracy'))}
        >
          {view.accuracy === null ? 'n/a' : formatPercent(view.accuracy)}
        </Figure>
      ) : (
        <>
          <CurveFigure metricKey="volatility" result={result} />
          <CurveFigure metricKey="sortino" result={result} />
        </>
      )}
      <Figure
        label="Max drawdown"
        rank="second"
        how={howOf('maxDrawdown', result)}
        note={view.referenceMaxDrawdown !== null && `${name} ${formatPercent(view.referenceMaxDrawdown)}`}
      >
        {formatPercent(view.maxDrawdown)}
      </Figure>
      <Figure
        label="End value"
        rank="second"
        how={howOf('endValue', result)}
        note={`from ${formatMoney(view.startValue)}`}
      >
        {formatMoney(view.endValue)}
      </Figure>
      {!isMl && (
        <Figure label="Accuracy" rank="aside" how={HOW.accuracy} note="The strategy makes no predictions">
          Not applicable
        </Figure>
      )}
    </MetricsStrip>
  )
}

/** A figure of the whole run, beside the reference's. */
function CurveFigure({ metricKey, result }: { metricKey: 'volatility' | 'sortino'; result: StudioResult }) {
  const metric = metricOf(metricKey)
  const { metrics, reference_metrics: reference, reference_backtest_name: name } = result
  const isMissing = metrics[metricKey] === null
  const beside = reference && reference[metricKey] !== null ? `${name} ${metricText(metric, reference)}` : null
  return (
    <Figure
      label={metric.label}
      rank="second"
      how={howOf(metricKey, result)}
      note={isMissing ? reasonOf(result, `metrics.${metricKey}`) : beside}
    >
      {isMissing ? 'n/a' : metricText(metric, metrics)}
    </Figure>
  )
}

/** An accuracy means little without what always saying the same would have given. */
function accuracyNote(view: CurveView, reason: string | null): string | null {
  if (view.accuracy === null) return reason
  if (view.baseRate === null) return null
  const luck = view.pValue === null ? '' : `, p ${formatPValue(view.pValue)}`
  return `base rate ${formatPercent(view.baseRate)}${luck}`
}
