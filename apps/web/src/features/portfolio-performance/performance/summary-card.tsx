import { brokerOf } from '@tradewright/core/broker-catalogue'
import type { Portfolio } from '@tradewright/contract/portfolio'
import { formatMoney, formatShortMoney, formatSignedMoney, formatSignedPercent } from '../../../lib/format.ts'
import { Delta, Figure, MetricsStrip } from '../../../ui/table/figure.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { HOW } from '../explanations.ts'
import classes from './summary-card.module.css'

/** The account in figures, as it stands now: the period filter does not touch them. */
export function SummaryCard({ portfolio }: { portfolio: Portfolio }) {
  const { account, equity, overall_return_percent, daily_pnl, notes } = portfolio
  return (
    <section className={classes.card} aria-labelledby="portfolio-account">
      <div className={classes.head}>
        <h2 className={classes.name} id="portfolio-account">
          {account.account_name}
        </h2>
        <AccountTags portfolio={portfolio} />
      </div>
      <dl className={classes.hero}>
        <dt>Equity</dt>
        <dd className={`${classes.equity} tabular`}>{formatShortMoney(equity)}</dd>
        <dd className={`${classes.exact} tabular`}>{formatMoney(equity)}</dd>
      </dl>
      <MetricsStrip>
        <Figure
          label="Overall return"
          how={HOW.overallReturn}
          note={notes['overall_return_percent'] ?? 'Since the account was opened'}
        >
          <Signed value={overall_return_percent} text={formatSignedPercent(fraction(overall_return_percent), 2)} />
        </Figure>
        <Figure label="Daily P&L" how={HOW.dailyPnl} note={<DailyNote portfolio={portfolio} />}>
          <Signed value={daily_pnl} text={shortSigned(daily_pnl)} />
        </Figure>
        <Figure label="Buying power" how={HOW.buyingPower} note={formatMoney(portfolio.buying_power)}>
          {formatShortMoney(portfolio.buying_power)}
        </Figure>
        <Figure label="Cash" how={HOW.cash} note={formatMoney(portfolio.cash)}>
          {formatShortMoney(portfolio.cash)}
        </Figure>
      </MetricsStrip>
    </section>
  )
}

function DailyNote({ portfolio: { daily_pnl, daily_pnl_percent: percent, notes } }: { portfolio: Portfolio }) {
  if (daily_pnl === null) return notes['daily_pnl']
  return (
    <>
      {percent !== null && <Delta value={percent}>{formatSignedPercent(percent / 100, 2)}</Delta>} since the previous
      close
    </>
  )
}

function AccountTags({ portfolio: { account, synthetic } }: { portfolio: Portfolio }) {
  return (
    <span className={classes.tags}>
      {account.paper_trading ? <Tag tone="accent">Paper</Tag> : <Tag tone="danger">Live money</Tag>}
      <Tag>{brokerOf(account.broker).name}</Tag>
      {account.custom_host && <Tag>{account.custom_host}</Tag>}
      {synthetic && <SourceBadge synthetic />}
    </span>
  )
}

function Signed({ value, text }: { value: number | null; text: string }) {
  return value === null ? (
    <>N/A</>
  ) : (
    <Delta value={value} withArrow>
      {text}
    </Delta>
  )
}

const fraction = (percent: number | null): number | null => percent && percent / 100

/** The short form has no plus of its own. */
function shortSigned(usd: number | null): string {
  if (usd === null || Math.abs(usd) <= 1_000) return formatSignedMoney(usd)
  return usd > 0 ? `+${formatShortMoney(usd)}` : formatShortMoney(usd)
}
