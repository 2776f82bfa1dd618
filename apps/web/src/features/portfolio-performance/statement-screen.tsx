import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import type { Statement } from '@tradewright/contract/tax-lots'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { serverMessageOr } from '../../lib/call-error.ts'
import { formatCount, formatMoney, formatQuantity, formatSignedMoney } from '../../lib/format.ts'
import { formatEastern, formatDate, formatMonth } from '../../lib/format-time.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { SourceBadge } from '../../ui/feedback/source-badge.tsx'
import { FullHeightSpinner } from '../../ui/feedback/skeletons.tsx'
import { LinkButton } from '../../ui/form/buttons.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { numeric, secondary, Table } from '../../ui/table/table.tsx'
import { useStatement } from './queries.ts'
import { activityWord } from './messages.ts'
import screen from './portfolio-performance-screen.module.css'
import classes from './statement-screen.module.css'

/** A month of an account as a page to print: `?account=1&month=2026-10`. */
export function StatementScreen() {
  const [search] = useSearchParams()
  const month = search.get('month') ?? ''
  const statement = useStatement(Number(search.get('account')), month)
  return (
    <Page documentTitle={`Statement ${month}`}>
      <div className={classes.statement}>
        <div className={classes.actions}>
          <LinkButton to="/portfolio-performance">Portfolio Performance</LinkButton>
          <Button
            disabled={!statement.data}
            leftSection={<IconPrinter size={16} stroke={1.7} aria-hidden />}
            onClick={() => window.print()}
          >
            Print
          </Button>
        </div>
        {!statement.data && (
          <header className={classes.head}>
            <h1>Statement {/^\d{4}-(0[1-9]|1[0-2])$/.test(month) && formatMonth(`${month}-15`)}</h1>
          </header>
        )}
        {statement.error && (
          <Banner kind="error" text={serverMessageOr(statement.error, 'The statement could not be loaded.')} />
        )}
        {statement.isPending && <FullHeightSpinner />}
        {statement.data && <StatementPage statement={statement.data} />}
      </div>
    </Page>
  )
}

function StatementPage({ statement }: { statement: Statement }) {
  return (
    <>
      <header className={classes.head}>
        <h1>Statement {formatMonth(`${statement.month}-15`)}</h1>
        <p>
          {statement.account_name} · {statement.broker} · {statement.paper_trading ? 'Paper' : 'Live money'}
        </p>
        <p>
          {statement.from ? `From the close of ${formatDate(statement.from)} ` : 'From the first deposit '}
          {statement.as_of ? `to ${formatEastern(statement.as_of)}` : `to the close of ${formatDate(statement.to)}`}
        </p>
        {statement.synthetic_tickers.length > 0 && <SourceBadge synthetic tickers={statement.synthetic_tickers} />}
      </header>
      <Summary statement={statement} />
      <Positions statement={statement} />
      <Trades statement={statement} />
      <Flows statement={statement} />
      <p className={classes.note}>
        {statement.synthetic_tickers.length > 0 &&
          'Prices of the sample market are made up: nothing here was traded or valued at a real price of these symbols. '}
        Values are the broker’s own, in US dollars. Lines add up to the closing value. Not tax advice: your broker’s
        statements and Form 1099-B are what counts.
      </p>
    </>
  )
}

function Summary({ statement }: { statement: Statement }) {
  const { realised } = statement
  return (
    <Card title="Value">
      <Table label="Value">
        <tbody>
          <Line label="Opening value" isTotal>
            {formatMoney(statement.opening)}
          </Line>
          <Line label="Deposits">{formatSignedMoney(statement.deposits)}</Line>
          <Line label="Withdrawals">{formatSignedMoney(statement.withdrawals)}</Line>
          <Line label="Dividends">{formatSignedMoney(statement.dividends)}</Line>
          <Line label="Interest">{formatSignedMoney(statement.interest)}</Line>
          <Line label="Fees">{formatSignedMoney(statement.fees)}</Line>
          {statement.other !== 0 && <Line label="Other bookings">{formatSignedMoney(statement.other)}</Line>}
          <Line label="Trading and price changes">{formatSignedMoney(statement.market)}</Line>
          <Line label="Closing value" isTotal>
            {formatMoney(statement.closing)}
          </Line>
          <Line label="Profit or loss: closing less opening, deposits and withdrawals">
            {formatSignedMoney(statement.profit)}
          </Line>
          <Line label="Realised gains of the sales, after wash sales">{formatSignedMoney(realised.gain)}</Line>
        </tbody>
      </Table>
    </Card>
  )
}

function Line({ label, isTotal = false, children }: { label: string; isTotal?: boolean; children: ReactNode }) {
  return (
    <tr className={isTotal ? classes.total : undefined}>
      <th scope="row">{label}</th>
      <td className={numeric}>{children}</td>
    </tr>
  )
}

function Positions({ statement }: { statement: Statement }) {
  const { positions, cash, positions_value: value, difference, closing } = statement
  return (
    <Card title="Positions at the end">
      <Table label="Positions at the end">
        <thead>
          <tr>
            <th>Symbol</th>
            <th className={numeric}>Quantity</th>
            <th className={`${numeric} ${secondary}`}>Basis</th>
            <th className={`${numeric} ${secondary}`}>Price</th>
            <th className={numeric}>Value</th>
          </tr>
        </thead>
        <tbody>
          {positions.map((position) => (
            <tr key={position.symbol}>
              <td>{position.symbol}</td>
              <td className={numeric}>{formatQuantity(position.qty)}</td>
              <td className={`${numeric} ${secondary}`}>{formatMoney(position.basis)}</td>
              <td className={`${numeric} ${secondary}`}>
                {position.price === null ? '–' : formatMoney(position.price)}
              </td>
              <td className={numeric}>{position.value === null ? '–' : formatMoney(position.value)}</td>
            </tr>
          ))}
          <Foot label="Positions">
            {/* Without every price they are worth what is not cash. */}
            {formatMoney(value ?? closing - cash)}
          </Foot>
          <Foot label="Cash">{formatMoney(cash)}</Foot>
          {difference !== null && difference !== 0 && (
            <Foot label="Broker’s value less closing prices">{formatSignedMoney(difference)}</Foot>
          )}
          <Foot label="Closing value" isTotal>
            {formatMoney(closing)}
          </Foot>
        </tbody>
      </Table>
    </Card>
  )
}

function Foot({ label, isTotal = false, children }: { label: string; isTotal?: boolean; children: ReactNode }) {
  return (
    <tr className={isTotal ? classes.total : undefined}>
      <th scope="row">{label}</th>
      <td>&nbsp;</td>
      <td className={secondary}>&nbsp;</td>
      <td className={secondary}>&nbsp;</td>
      <td className={numeric}>{children}</td>
    </tr>
  )
}

function Trades({ statement: { trades, trades_count } }: { statement: Statement }) {
  return (
    <Card
      title="Trades"
      {...(trades_count > trades.length
        ? { hint: `The first ${formatCount(trades.length)} of ${formatCount(trades_count)}; the CSV file has all` }
        : {})}
    >
      {trades.length === 0 ? (
        <p className={screen.nothing}>Nothing was traded.</p>
      ) : (
        <Table label="Trades">
          <thead>
            <tr>
              <th>Date</th>
              <th>Side</th>
              <th>Symbol</th>
              <th className={numeric}>Quantity</th>
              <th className={`${numeric} ${secondary}`}>Price</th>
              <th className={numeric}>Amount</th>
            </tr>
          </thead>
          <tbody>
            {trades.map((trade, index) => (
              // Two may be equal in every column; the order stays.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index}>
                <td className="tabular">{formatDate(trade.date)}</td>
                <td>{trade.side === 'buy' ? 'Buy' : 'Sell'}</td>
                <td>{trade.symbol}</td>
                <td className={numeric}>{formatQuantity(trade.qty)}</td>
                <td className={`${numeric} ${secondary}`}>{formatMoney(trade.price)}</td>
                <td className={numeric}>{formatMoney(trade.amount)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}

function Flows({ statement: { flows } }: { statement: Statement }) {
  return (
    <Card title="Deposits, withdrawals and other bookings">
      {flows.length === 0 ? (
        <p className={screen.nothing}>Nothing was booked.</p>
      ) : (
        <Table label="Bookings">
          <thead>
            <tr>
              <th>Date</th>
              <th className={secondary}>Kind</th>
              <th>Description</th>
              <th className={numeric}>Amount</th>
            </tr>
          </thead>
          <tbody>
            {flows.map((flow, index) => (
              // Two may be equal in every column; the order stays.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index}>
                <td className="tabular">{formatDate(flow.date)}</td>
                <td className={secondary}>{activityWord(flow.type)}</td>
                <td className={classes.words}>{flow.description || activityWord(flow.type)}</td>
                <td className={numeric}>{formatSignedMoney(flow.amount)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}
