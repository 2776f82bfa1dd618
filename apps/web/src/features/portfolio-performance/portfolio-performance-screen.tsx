import { Button } from '@mantine/core'
import { useReducer, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Banner } from '../../ui/feedback/banner.tsx'
import { LinkButton } from '../../ui/form/link-button.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { FullHeightSpinner } from '../../ui/feedback/spinner.tsx'
import { AccountBar } from './account-bar.tsx'
import { portfolioFailed } from './messages.ts'
import { NotConnected } from './not-connected.tsx'
import { editPeriod, newPeriodState } from './period.ts'
import classes from './portfolio-performance-screen.module.css'
import { PortfolioView } from './portfolio-view.tsx'
import { useAccounts, usePortfolio, useRefreshPortfolio } from './queries.ts'

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
