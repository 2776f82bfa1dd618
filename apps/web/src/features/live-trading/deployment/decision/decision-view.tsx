import type { Decision } from '@tradewright/contract/live-trading-decision'
import { formatNumber, formatPercent } from '../../../../lib/format.ts'
import { formatMoment, formatDate } from '../../../../lib/format-time.ts'
import { Fact, Facts } from '../../../../ui/table/figure.tsx'
import { DataNotes } from './data-notes.tsx'
import { influenceBars, inUnit, OUTCOMES, rulesText, signalText } from './decision-words.ts'
import classes from './decision-view.module.css'

/** A decision explained: what, how sure, why, and what it wants to hold. */
export function DecisionView({ decision, isDaily }: { decision: Decision; isDaily: boolean }) {
  const { data_as_of } = decision
  return (
    <div className={classes.decision}>
      <p className={classes.signal}>{signalText(decision)}</p>
      <p className={classes.reason}>{decision.reason}</p>
      <Facts>
        <Fact label="Outcome">{OUTCOMES[decision.outcome]}</Fact>
        <Fact label="Decided">{formatMoment(decision.decided_at, 'seconds')}</Fact>
        {decision.external && (
          <Fact label="Signal received">
            {decision.external.received_at === null
              ? 'None yet'
              : formatMoment(decision.external.received_at, 'seconds')}
          </Fact>
        )}
        {decision.model_version !== null && <Fact label="Model">Version {decision.model_version}</Fact>}
        {/* A daily bar belongs to a session date, not to an instant. */}
        <Fact label="Newest data">{isDaily ? formatDate(data_as_of) : formatMoment(data_as_of)}</Fact>
      </Facts>
      {decision.rules && <p className={classes.note}>{rulesText(decision.rules, isDaily)}</p>}
      <DataNotes notes={decision.data_notes} />
      <TargetWeights weights={decision.target_weights} />
      {decision.influences.length > 0 && <Influences decision={decision} />}
    </div>
  )
}

function TargetWeights({ weights }: { weights: Decision['target_weights'] }) {
  if (weights.length === 0) return null
  return (
    <div>
      <h3 className={classes.heading}>Target weights</h3>
      <ul className={`${classes.weights} tabular`}>
        {weights.map(({ symbol, signal_ticker, weight }) => (
          <li key={`${signal_ticker} ${symbol}`}>
            <b>{symbol}</b> {formatPercent(weight)}
            {signal_ticker !== symbol && <small>for {signal_ticker}</small>}
          </li>
        ))}
      </ul>
    </div>
  )
}

const MAX_INFLUENCES = 8

function Influences({ decision: { influences, base, unit } }: { decision: Decision }) {
  const bars = influenceBars(influences).slice(0, MAX_INFLUENCES)
  return (
    <div>
      <h3 className={classes.heading}>What drove it</h3>
      <p className={classes.note}>
        From a base of {inUnit(base, unit)}; all features together make the prediction
        {influences.length > MAX_INFLUENCES
          ? `; the ${MAX_INFLUENCES} strongest of ${influences.length} are shown`
          : ''}
        .
      </p>
      <ul className={classes.influences}>
        {bars.map(({ feature, value, contribution, width, isPositive }) => (
          <li key={feature}>
            <span className={classes.feature}>
              {feature} <small className="tabular">{formatNumber(value, { decimals: 4, minDecimals: 0 })}</small>
            </span>
            <span className={classes.track} aria-hidden>
              <span className={classes.bar} data-positive={isPositive} style={{ width: `${width / 2}%` }} />
            </span>
            <span className={`${classes.contribution} tabular`}>{inUnit(contribution, unit, 'always')}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
