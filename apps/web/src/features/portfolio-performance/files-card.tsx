import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Portfolio } from '@tradewright/contract/portfolio'
import { EXPORT_KINDS, type ExportKind, PORTFOLIO_EXPORT_PATH } from '@tradewright/contract/tax-lots'
import { useState } from 'react'
import { formatMonth } from '../../lib/format-time.ts'
import { SelectField } from '../../ui/form/fields.tsx'
import { LinkButton } from '../../ui/form/link-button.tsx'
import { Card, CardSection } from '../../ui/layout/card.tsx'
import { monthsOf } from './months.ts'
import classes from './files-card.module.css'

const LABELS = {
  trades: 'Trades',
  transactions: 'Transactions',
  orders: 'Orders',
  ledger: 'Ledger',
  lots: 'Tax lots',
  sales: 'Realised sales',
} as const satisfies Record<ExportKind, string>

/** What a user takes along: a statement to print, and tables for a spreadsheet. */
export function FilesCard({ portfolio }: { portfolio: Portfolio }) {
  const accountId = portfolio.account.id
  const months = monthsOf(portfolio)
  const [chosen, setMonth] = useState<string | null>(null)
  const month = chosen !== null && months.includes(chosen) ? chosen : months[0]
  return (
    <Card title="Statements and files" hint="Monthly statements to print, and CSV files of all records of this account">
      {month !== undefined && (
        <CardSection>
          <div className={classes.row}>
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
        <div className={classes.files}>
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
