import type { Portfolio, PortfolioPosition } from '@tradewright/contract/portfolio'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { EXPORT_KINDS, type ExportKind, PORTFOLIO_EXPORT_PATH } from '@tradewright/contract/tax-lots'
import { useState } from 'react'
import { Banner } from '../../ui/feedback/banner.tsx'
import { EquityCard, SummaryCard } from './performance/equity-card.tsx'
import { HistoryCard, TradesCard, TransactionsCard } from './trades/trades.tsx'
import type { Period, PeriodEdit } from './period.ts'
import classes from './portfolio-performance-screen.module.css'
import { TaxLotsCard } from './tax-lots/tax-lots-card.tsx'
import { TruePerformanceCard } from './performance/true-performance-card.tsx'
import { formatMoney, formatPercent, formatQuantity, formatSignedMoney, formatSignedPercent } from '../../lib/format.ts'
import { formatDate, formatMonth } from '../../lib/format-time.ts'
import { Card, CardSection } from '../../ui/layout/card.tsx'
import { Delta } from '../../ui/table/figure.tsx'
import { numeric, secondary, Table } from '../../ui/table/table.tsx'
import { SelectField } from '../../ui/form/fields.tsx'
import { LinkButton } from '../../ui/form/buttons.tsx'
import filesCardClasses from './files-card.module.css'

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

function HoldingsCard({ portfolio }: { portfolio: Portfolio }) {
  const { positions, equity } = portfolio
  return (
    <Card title="Holdings" hint={`${positions.length} ${positions.length === 1 ? 'position' : 'positions'}`}>
      {positions.length === 0 ? (
        <p className={classes.nothing}>The account holds cash only.</p>
      ) : (
        <Table label="Holdings">
          <thead>
            <tr>
              <th>Symbol</th>
              <th className={numeric}>Quantity</th>
              <th className={`${numeric} ${secondary}`}>Average price</th>
              <th className={`${numeric} ${secondary}`}>Price</th>
              <th className={numeric}>Market value</th>
              <th className={`${numeric} ${secondary}`}>Share of equity</th>
              <th className={numeric}>Unrealized P&L</th>
            </tr>
          </thead>
          <tbody>
            {positions.map((position) => (
              <HoldingRow key={position.symbol} position={position} equity={equity} />
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}

function HoldingRow({ position, equity }: { position: PortfolioPosition; equity: number }) {
  const { market_value, unrealized_pl, unrealized_plpc } = position
  return (
    <tr>
      <td>
        <b className={classes.symbol}>{position.symbol}</b>
        {position.price_date && <small className={classes.old}>price of {formatDate(position.price_date)}</small>}
      </td>
      <td className={numeric}>{formatQuantity(position.qty)}</td>
      <td className={`${numeric} ${secondary}`}>{formatMoney(position.avg_entry_price)}</td>
      <td className={`${numeric} ${secondary}`}>{formatMoney(position.current_price)}</td>
      <td className={numeric}>{formatMoney(market_value)}</td>
      <td className={`${numeric} ${secondary}`}>{formatPercent(equity > 0 ? market_value / equity : null)}</td>
      <td className={numeric}>
        <Delta value={unrealized_pl}>{formatSignedMoney(unrealized_pl)}</Delta>
        <span className={classes.beside}>
          {unrealized_plpc === null ? 'N/A' : formatSignedPercent(unrealized_plpc, 2)}
        </span>
      </td>
    </tr>
  )
}

const LABELS = {
  trades: 'Trades',
  transactions: 'Transactions',
  orders: 'Orders',
  ledger: 'Ledger',
  lots: 'Tax lots',
  sales: 'Realised sales',
} as const satisfies Record<ExportKind, string>

/** What a user takes along: a statement to print, and tables for a spreadsheet. */
function FilesCard({ portfolio }: { portfolio: Portfolio }) {
  const accountId = portfolio.account.id
  const months = monthsOf(portfolio)
  const [chosen, setMonth] = useState<string | null>(null)
  const month = chosen !== null && months.includes(chosen) ? chosen : months[0]
  return (
    <Card title="Statements and files" hint="Monthly statements to print, and CSV files of all records of this account">
      {month !== undefined && (
        <CardSection>
          <div className={filesCardClasses.row}>
            <SelectField
              label="Month of the statement"
              value={month}
              options={months.map((each) => ({ value: each, label: formatMonth(`${each}-15`) }))}
              onChange={setMonth}
            />
            <LinkButton to={`/portfolio-performance/statement?account=${accountId}&month=${month}`}>
              Open statement
            </LinkButton>
          </div>
        </CardSection>
      )}
      <CardSection>
        <div className={filesCardClasses.files}>
          {EXPORT_KINDS.map((kind) => (
            // A link, not a call: the browser writes the file as it arrives.
            <Button
              key={kind}
              component="a"
              href={`${PORTFOLIO_EXPORT_PATH}?account_id=${accountId}&kind=${kind}`}
              download
              variant="default"
              leftSection={<IconDownload size={16} stroke={1.7} aria-hidden />}
              aria-label={`${LABELS[kind]} as CSV`}
            >
              {LABELS[kind]}
            </Button>
          ))}
        </div>
      </CardSection>
    </Card>
  )
}

/** Months with an account value in the period and the present one, newest first, as "2026-10". */
export function monthsOf({ full_history, as_of }: Pick<Portfolio, 'full_history' | 'as_of'>): string[] {
  const months = new Set(full_history.map(({ date }) => date.slice(0, 7)))
  months.add(as_of.slice(0, 7))
  return [...months].sort().toReversed()
}
