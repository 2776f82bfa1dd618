import { Button } from '@mantine/core'
import { useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Card, CardSection } from '../../../ui/card.tsx'
import { CardSkeleton } from '../../../ui/skeletons.tsx'
import type { SettingsMessage } from '../messages.ts'
import settings from '../settings-screen.module.css'
import { AccountRow } from './account-row.tsx'
import classes from './accounts-section.module.css'
import { AddAccountForm } from './add-account-form.tsx'
import { useAccounts, useAddPaperAccount } from './queries.ts'

export function AccountsSection({ tell }: { tell: (message: SettingsMessage) => void }) {
  const accounts = useAccounts()
  const addPaper = useAddPaperAccount(tell)
  const [isAdding, setAdding] = useState(false)
  const hasPaper = accounts.data?.some(({ broker }) => broker === 'paper')
  return (
    <Card
      id="alpaca"
      title="Alpaca Integration"
      hint="Brokerage accounts, paper and live. Keys are checked with Alpaca, sealed before they are stored, and never shown again."
    >
      {accounts.isPending && <CardSkeleton rows={2} />}
      {accounts.isError && (
        <div className={settings.inset}>
          <Banner
            kind="error"
            text="The brokerage accounts could not be loaded"
            detail={accounts.error.message}
            action={
              <Button variant="default" onClick={() => void accounts.refetch()}>
                Try again
              </Button>
            }
          />
        </div>
      )}
      {accounts.data?.map((account) => (
        <CardSection key={account.id}>
          <AccountRow account={account} tell={tell} />
        </CardSection>
      ))}
      {accounts.data?.length === 0 && !isAdding && (
        <CardSection>
          <p className={classes.nothing}>No brokerage account is connected yet.</p>
        </CardSection>
      )}
      {accounts.data && (
        <CardSection>
          {isAdding ? (
            <AddAccountForm tell={tell} onClose={() => setAdding(false)} />
          ) : (
            <div className={classes.buttons}>
              <Button variant="default" onClick={() => setAdding(true)}>
                Add Account
              </Button>
              {!hasPaper && (
                <Button variant="default" disabled={addPaper.isPending} onClick={() => addPaper.mutate()}>
                  {addPaper.isPending ? 'Adding...' : 'Use the built-in paper account'}
                </Button>
              )}
            </div>
          )}
          <p className={classes.help}>
            Paper trading gives you $100,000 of virtual money: nothing you do with it can cost you anything. The
            built-in paper account needs no keys and no network.
          </p>
        </CardSection>
      )}
    </Card>
  )
}
