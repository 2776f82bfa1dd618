import type { Portfolio } from '@tradewright/contract/portfolio'
import { Banner } from '../../ui/feedback/banner.tsx'
import { EquityCard } from './performance/equity-card.tsx'
import { FilesCard } from './files-card.tsx'
import { HistoryCard } from './trades/history-card.tsx'
import { HoldingsCard } from './holdings-card.tsx'
import type { Period, PeriodEdit } from './period.ts'
import classes from './portfolio-performance-screen.module.css'
import { SummaryCard } from './performance/summary-card.tsx'
import { TaxLotsCard } from './tax-lots/tax-lots-card.tsx'
import { TradesCard } from './trades/trades-card.tsx'
import { TransactionsCard } from './trades/transactions-card.tsx'
import { TruePerformanceCard } from './performance/true-performance-card.tsx'

interface PortfolioViewProps {
  portfolio: Portfolio
  /** As chosen in the form; the figures may still be those of the period before. */
  period: Period
  edit: (edit: PeriodEdit) => void
  isStale: boolean
  /** Whether benchmarks of the sample market were asked for. */
  withSynthetic: boolean
  onSynthetic: (withSynthetic: boolean) => void
}

export function PortfolioView({ portfolio, ...comparison }: PortfolioViewProps) {
  const { isStale } = comparison
  return (
    <div className={classes.cards}>
      {portfolio.warning && (
        <Banner kind="warning" text={portfolio.warning} detail="What follows is the last data it sent." />
      )}
      {!portfolio.activities_complete && (
        <Banner
          kind="info"
          text="Older trades and transactions are still being collected"
          detail="Returns and lists are completed automatically."
        />
      )}
      <SummaryCard portfolio={portfolio} />
      <TruePerformanceCard portfolio={portfolio} {...comparison} />
      <div className={classes.cards} data-stale={isStale}>
        <EquityCard portfolio={portfolio} />
      </div>
      <HoldingsCard portfolio={portfolio} />
      <div className={classes.pair}>
        <TransactionsCard portfolio={portfolio} />
        <TradesCard portfolio={portfolio} />
      </div>
      <TaxLotsCard accountId={portfolio.account.id} />
      <HistoryCard history={portfolio.full_history} />
      <FilesCard portfolio={portfolio} />
      <p className={classes.credit}>
        Charts are drawn with{' '}
        <a href="https://www.tradingview.com/lightweight-charts/" rel="noreferrer" target="_blank">
          Lightweight Charts
        </a>{' '}
        by TradingView.
      </p>
    </div>
  )
}
