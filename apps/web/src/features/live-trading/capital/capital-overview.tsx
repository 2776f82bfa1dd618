import { formatMoment } from '../../../lib/format-time.ts'
import { moneyIn } from '../../../deployment-words/money-in.ts'
import { percentText } from '../deployment-words.ts'
import { Fact, Facts } from '../../../ui/table/figure.tsx'
import type { Tell } from '../messages.ts'
import type { Details } from '../queries.ts'
import { AdjustCapital } from './adjust-capital.tsx'
import classes from './capital.module.css'
import { DisallocateCapital } from './disallocate-capital.tsx'

interface CapitalOverviewProps {
  details: Details
  tell: Tell
  isAsking: boolean
  onAsking: (isAsking: boolean) => void
}

export function CapitalOverview({ details, tell, isAsking, onAsking }: CapitalOverviewProps) {
  return (
    <div className={classes.overview}>
      <PolicySection details={details} />
      <AvailabilitySection details={details} />
      <SnapshotSection details={details} />
      <div className={classes.forms}>
        {details.capital_policy === 'fixed_contribution' ? (
          <AdjustCapital details={details} tell={tell} />
        ) : (
          <p className={classes.note}>
            The deployment is rebalanced automatically to its percentage of the account; contributions and withdrawals
            are automatic.
          </p>
        )}
        <DisallocateCapital details={details} tell={tell} isAsking={isAsking} onAsking={onAsking} />
      </div>
    </div>
  )
}

function PolicySection({ details }: { details: Details }) {
  const { capital_policy, capital_policy_value, capital_currency: currency } = details
  const isPercent = capital_policy === 'percent_of_account'
  return (
    <section className={classes.section} aria-label="Capital policy">
      <h3>Capital policy</h3>
      <Facts>
        <Fact label="Policy">{isPercent ? 'Percent of account' : 'Fixed contribution'}</Fact>
        <Fact label={isPercent ? 'Configured allocation' : 'Original commitment'}>
          {isPercent ? percentText(capital_policy_value) : moneyIn(currency, capital_policy_value)}
        </Fact>
        <Fact label="Committed capital">{moneyIn(currency, details.committed_capital)}</Fact>
        <Fact label="Total contributions">{moneyIn(currency, details.total_contributions)}</Fact>
        <Fact label="Total withdrawals">{moneyIn(currency, details.total_withdrawals)}</Fact>
        <Fact label="Deployment cash">{moneyIn(currency, details.committed_cash)}</Fact>
      </Facts>
    </section>
  )
}

function AvailabilitySection({ details: { account, capital_currency: currency } }: { details: Details }) {
  return (
    <section className={classes.section} aria-label="Account availability">
      <h3>Account availability</h3>
      <Facts>
        <Fact label="Available capital">{moneyIn(currency, account?.available_capital)}</Fact>
        <Fact label="Cash">{moneyIn(currency, account?.cash)}</Fact>
        <Fact label="Equity">{moneyIn(currency, account?.equity)}</Fact>
        <Fact label="Buying power">{moneyIn(currency, account?.buying_power)}</Fact>
      </Facts>
      {account?.error && <p className={classes.note}>{account.error}</p>}
    </section>
  )
}

function SnapshotSection({
  details: { last_account_snapshot: snapshot, capital_currency: currency },
}: {
  details: Details
}) {
  return (
    <section className={classes.section} aria-label="Last snapshot">
      <h3>Last snapshot</h3>
      {snapshot ? (
        <Facts>
          <Fact label="Cash">{moneyIn(currency, snapshot.cash)}</Fact>
          <Fact label="Account value">{moneyIn(currency, snapshot.account_value)}</Fact>
          <Fact label="Taken">{formatMoment(snapshot.timestamp)}</Fact>
        </Facts>
      ) : (
        <p className={classes.note}>No snapshot recorded yet</p>
      )}
    </section>
  )
}
