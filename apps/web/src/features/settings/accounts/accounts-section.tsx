import { Button } from '@mantine/core'
import { type BrokerId, builtInBrokers, PAPER_CASH_USD } from '@tradewright/core/broker-catalogue'
import { useState } from 'react'
import { formatWholeMoney } from '../../../lib/format.ts'
import { CardSection } from '../../../ui/layout/card.tsx'
import type { SettingsMessage } from '../messages.ts'
import { LoadedSection } from '../settings-section.tsx'
import { AccountRow } from './account-row.tsx'
import classes from './accounts-section.module.css'
import { AddAccountForm } from './add-account-form.tsx'
import { useAccounts, useAddPaperAccount } from './queries.ts'

interface SectionProps {
  tell: (message: SettingsMessage) => void
}

export function AccountsSection({ tell }: SectionProps) {
  const [isAdding, setAdding] = useState(false)
  return (
    <LoadedSection
      id="alpaca"
      hint="Brokerage accounts, paper and live. Keys are checked with the broker, sealed before they are stored, and never shown again."
      loading={useAccounts()}
      failure="The brokerage accounts could not be loaded"
    >
      {(accounts) => (
        <>
          {accounts.map((account) => (
            <CardSection key={account.id}>
              <AccountRow account={account} tell={tell} />
            </CardSection>
          ))}
          {accounts.length === 0 && !isAdding && (
            <CardSection>
              <p className={classes.nothing}>No brokerage account is connected yet.</p>
            </CardSection>
          )}
          <CardSection>
            {isAdding ? (
              <AddAccountForm tell={tell} onClose={() => setAdding(false)} />
            ) : (
              <WaysToAdd known={accounts.map(({ broker }) => broker)} tell={tell} onAdd={() => setAdding(true)} />
            )}
            <p className={classes.help}>
              Paper trading gives you {formatWholeMoney(PAPER_CASH_USD)} of virtual money: you cannot lose real money
              with it. The built-in paper account needs no keys and no network.
            </p>
          </CardSection>
        </>
      )}
    </LoadedSection>
  )
}

/** One account with keys after the other, and one of each built-in broker. */
function WaysToAdd({ known, tell, onAdd }: SectionProps & { known: BrokerId[]; onAdd: () => void }) {
  const addPaper = useAddPaperAccount(tell)
  return (
    <div className={classes.buttons}>
      <Button variant="default" onClick={onAdd}>
        Add Account
      </Button>
      {builtInBrokers
        .filter(({ id }) => !known.includes(id))
        .map(({ id, openLabel }) => (
          <Button key={id} variant="default" disabled={addPaper.isPending} onClick={() => addPaper.mutate(id)}>
            {addPaper.isPending ? 'Adding...' : openLabel}
          </Button>
        ))}
    </div>
  )
}
