import { Button } from '@mantine/core'
import { useReducer, useState } from 'react'
import { useSearchParams } from 'react-router'
import { IconRefresh, IconPlugConnectedX } from '@tabler/icons-react'
import type { BrokerageAccount } from '@tradewright/contract/brokerage-accounts'
import type { Portfolio } from '@tradewright/contract/portfolio'
import { PAPER_CASH_USD } from '@tradewright/core/broker-catalogue'
import { Banner } from '../../ui/feedback/banner.tsx'
import { LinkButton } from '../../ui/form/buttons.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { FullHeightSpinner } from '../../ui/feedback/skeletons.tsx'
import { portfolioFailed, NOT_CONNECTED } from './messages.ts'
import { editPeriod, newPeriodState } from './period.ts'
import classes from './portfolio-performance-screen.module.css'
import { PortfolioView } from './portfolio-view.tsx'
import { useAccounts, usePortfolio, useRefreshPortfolio, useAddPaperAccount } from './queries.ts'
import { formatAge, formatExact } from '../../lib/format-time.ts'
import { SelectField } from '../../ui/form/fields.tsx'
import { useNow } from '../../ui/feedback/use-now.ts'
import accountBarClasses from './account-bar.module.css'
import { serverMessageOr, unreachableHint } from '../../lib/call-error.ts'
import { formatWholeMoney } from '../../lib/format.ts'
import { Card } from '../../ui/layout/card.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'

export function PortfolioPerformanceScreen() {
  const [period, edit] = useReducer(editPeriod, newPeriodState)
  // In the address, so that a reload, a link and Back lead to the same account.
  const [query, setQuery] = useSearchParams()
  const chosenId = query.get('account')
  const accounts = useAccounts()
  const account =
    accounts.data?.find(({ id }) => String(id) === chosenId) ??
    accounts.data?.find(({ is_default }) => is_default) ??
    accounts.data?.[0]
  const accountId = account?.id ?? null
  const [withSynthetic, setWithSynthetic] = useState(false)
  const choice = { period: period.applied, withSynthetic }
  const portfolio = usePortfolio(accountId, choice)
  const refresh = useRefreshPortfolio(accountId, choice)
  const error = accounts.error ?? refresh.error ?? portfolio.error
  const isLoading = accounts.isPending || (account !== undefined && portfolio.isPending)
  return (
    <Page documentTitle="Portfolio Performance">
      <PageHeader
        title="Portfolio Performance"
        subtitle="Equity, holdings and true return of your brokerage account"
        aside={
          accounts.data &&
          account && (
            <AccountBar
              accounts={accounts.data}
              account={account}
              onChoose={(id) => {
                setQuery({ account: String(id) }, { preventScrollReset: true })
                setWithSynthetic(false)
                refresh.reset()
              }}
              isRefreshing={refresh.isPending}
              onRefresh={() => refresh.mutate()}
              portfolio={portfolio.data}
              askedAt={portfolio.dataUpdatedAt}
            />
          )
        }
      />
      <div className={classes.cards}>
        {error && !isLoading && (
          <Banner
            kind="error"
            {...portfolioFailed(error)}
            action={
              <span className={classes.bannerActions}>
                {account && account.status !== 'verified' && <LinkButton to="/settings#alpaca">Settings</LinkButton>}
                <Button
                  variant="default"
                  onClick={() => {
                    refresh.reset()
                    void (accounts.isError ? accounts.refetch() : portfolio.refetch())
                  }}
                >
                  Try again
                </Button>
              </span>
            }
          />
        )}
        {isLoading && <FullHeightSpinner />}
        {accounts.data?.length === 0 && <NotConnected />}
        {portfolio.data && !isLoading && (
          <PortfolioView
            key={accountId}
            portfolio={portfolio.data}
            period={period.chosen}
            edit={edit}
            isStale={portfolio.isPlaceholderData}
            withSynthetic={withSynthetic}
            onSynthetic={setWithSynthetic}
          />
        )}
      </div>
    </Page>
  )
}

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

function AccountBar({ accounts, account, onChoose, isRefreshing, onRefresh, ...data }: AccountBarProps) {
  return (
    <div className={accountBarClasses.bar}>
      <div className={accountBarClasses.controls}>
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
  if (!portfolio) return <p className={accountBarClasses.age}>&nbsp;</p>
  const seconds = portfolio.age_seconds + Math.max(0, now - askedAt) / 1000
  return (
    <p className={accountBarClasses.age}>
      Updated{' '}
      <time dateTime={portfolio.as_of} title={formatExact(portfolio.as_of)}>
        {formatAge(seconds)}
      </time>
      {portfolio.is_refreshing && ', newer data is on its way'}
    </p>
  )
}

function NotConnected() {
  const add = useAddPaperAccount()
  return (
    <>
      {add.isError && (
        <Banner
          kind="error"
          text={`Failed to add account: ${serverMessageOr(add.error, 'Unknown error')}`}
          detail={unreachableHint(add.error)}
        />
      )}
      <Card>
        <EmptyState
          icon={IconPlugConnectedX}
          title={NOT_CONNECTED}
          text={`Connect an Alpaca account in Settings, or begin at once with the built-in paper account: ${formatWholeMoney(PAPER_CASH_USD)} of virtual money, without keys and without a network.`}
          action={
            <>
              <Button disabled={add.isPending || add.isSuccess} onClick={() => add.mutate()}>
                {add.isPending ? 'Adding...' : 'Use the built-in paper account'}
              </Button>
              <LinkButton to="/settings#alpaca">Go to Settings</LinkButton>
            </>
          }
        />
      </Card>
    </>
  )
}
