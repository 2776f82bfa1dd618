import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { BrokerageAccount } from '@tradewright/contract/brokerage-accounts'
import type { Portfolio } from '@tradewright/contract/portfolio'
import { formatAge } from '../../lib/format-age.ts'
import { formatExact } from '../../lib/format-time.ts'
import { SelectField } from '../../ui/form/fields.tsx'
import { useNow } from '../../ui/feedback/use-now.ts'
import classes from './account-bar.module.css'

interface AccountBarProps {
  accounts: readonly BrokerageAccount[]
  account: BrokerageAccount
  onChoose: (id: number) => void
  isRefreshing: boolean
  onRefresh: () => void
  portfolio: Portfolio | undefined
  /** When the shown portfolio came to this browser, in milliseconds. */
  askedAt: number
}

export function AccountBar({ accounts, account, onChoose, isRefreshing, onRefresh, ...data }: AccountBarProps) {
  return (
    <div className={classes.bar}>
      <div className={classes.controls}>
        <SelectField
          label="Account"
          hideLabel
          value={String(account.id)}
          options={accounts.map((each) => ({ value: String(each.id), label: labelOf(each) }))}
          onChange={(id) => onChoose(Number(id))}
        />
        <Button
          variant="default"
          disabled={isRefreshing}
          leftSection={<IconRefresh size={16} stroke={1.7} aria-hidden />}
          onClick={onRefresh}
        >
          {isRefreshing ? 'Refreshing...' : 'Refresh Data'}
        </Button>
      </div>
      <DataAge {...data} />
    </div>
  )
}

const labelOf = ({ account_name, paper_trading, is_default }: BrokerageAccount): string =>
  `${account_name} · ${paper_trading ? 'Paper' : 'Live money'}${is_default ? ' · default' : ''}`

/** The age of the data. Its place is kept while there is nothing to say, so that nothing moves. */
function DataAge({ portfolio, askedAt }: Pick<AccountBarProps, 'portfolio' | 'askedAt'>) {
  const now = useNow()
  if (!portfolio) return <p className={classes.age}>&nbsp;</p>
  const seconds = portfolio.age_seconds + Math.max(0, now - askedAt) / 1000
  return (
    <p className={classes.age}>
      Updated{' '}
      <time dateTime={portfolio.as_of} title={formatExact(portfolio.as_of)}>
        {formatAge(seconds)}
      </time>
      {portfolio.is_refreshing && ', newer data is on its way'}
    </p>
  )
}
