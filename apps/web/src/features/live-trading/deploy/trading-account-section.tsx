import { Button } from '@mantine/core'
import type { TradingAccount } from '@tradewright/contract/live-trading-fields'
import { PAPER_CASH_USD } from '@tradewright/core/broker-catalogue'
import { formatMoney, formatWholeMoney } from '../../../lib/format.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { SelectField } from '../../../ui/form/fields.tsx'
import { LinkButton } from '../../../ui/form/buttons.tsx'
import { AccountTag } from '../../../deployment-words/account-tag.tsx'
import { percentText } from '../deployment-words.ts'
import { Fact, Facts } from '../../../ui/table/figure.tsx'
import { sentenceOf } from '../messages.ts'
import { useAddPaperAccount } from '../queries.ts'
import classes from './deploy-form.module.css'
import { choosingAccount } from './draft.ts'
import { FormSection } from './form-section.tsx'
import type { SectionProps } from './section-props.ts'

interface TradingAccountSectionProps extends SectionProps {
  accounts: readonly TradingAccount[]
  isLoading: boolean
}

export function TradingAccountSection(props: TradingAccountSectionProps) {
  const { account } = props.chosen
  return (
    <FormSection title="Trading Account">
      <AccountField {...props} />
      <CashUnknown account={account} />
      {account && <AccountFigures account={account} />}
    </FormSection>
  )
}

/** The figures of an account that is chosen elsewhere. */
export function TradingAccountFigures({ account }: { account: TradingAccount | undefined }) {
  return (
    <FormSection title="Trading Account">
      {account ? <AccountFigures account={account} /> : <p className={classes.note}>No account is selected.</p>}
    </FormSection>
  )
}

export function AccountField({ chosen, edit, accounts, isLoading }: TradingAccountSectionProps) {
  if (accounts.length === 0 && !isLoading) {
    return <NoAccount onAdded={(id) => edit(choosingAccount(String(id)))} />
  }
  return (
    <SelectField
      label="Account"
      value={chosen.form.accountId}
      options={[
        { value: '', label: isLoading ? 'Loading...' : 'Select an account' },
        ...accounts.map(({ id, account_name, paper_trading }) => ({
          value: String(id),
          label: paper_trading ? `${account_name} (Paper)` : account_name,
        })),
      ]}
      onChange={(accountId) => edit(choosingAccount(accountId))}
    />
  )
}

function AccountFigures({ account }: { account: TradingAccount }) {
  const { percent_allocated, percent_kept } = account
  return (
    <>
      <div className={classes.plainFacts}>
        <Facts>
          <Fact label="Account type">
            <AccountTag isPaper={account.paper_trading} />
          </Fact>
          <Fact label="Cash">{formatMoney(account.cash)}</Fact>
          <Fact label="Equity">{formatMoney(account.equity)}</Fact>
          <Fact label="Buying power">{formatMoney(account.buying_power)}</Fact>
          <Fact label="Available capital">{formatMoney(account.available_capital)}</Fact>
          <Fact label="Allocated">{percentText(percent_allocated)}</Fact>
          {percent_kept > 0 && <Fact label="Kept by stopped deployments">{percentText(percent_kept)}</Fact>}
          <Fact label="Remaining">{percentText(Math.max(0, 100 - percent_allocated - percent_kept))}</Fact>
        </Facts>
      </div>
      <p className={classes.note}>Available capital = uncommitted cash + unallocated positions.</p>
    </>
  )
}

export function CashUnknown({ account }: { account: TradingAccount | undefined }) {
  if (account?.available_cash !== null) return null
  return <Banner kind="warning" text="Unable to fetch Alpaca cash balance right now." detail={account.error} />
}

function NoAccount({ onAdded }: { onAdded: (id: number) => void }) {
  const adding = useAddPaperAccount()
  return (
    <>
      <p className={classes.note}>
        No trading account yet. Trade {formatWholeMoney(PAPER_CASH_USD)} of virtual money without any key, or connect
        your Alpaca account in Settings.
      </p>
      {adding.isError && <Banner kind="error" text={sentenceOf(adding.error)} />}
      <div className={classes.checks}>
        <Button
          loading={adding.isPending}
          onClick={() => adding.mutate(undefined, { onSuccess: ({ account }) => onAdded(account.id) })}
        >
          Use the built-in paper account
        </Button>
        <LinkButton to="/settings#alpaca">Open Settings</LinkButton>
      </div>
    </>
  )
}
