import { Button } from '@mantine/core'
import type { BrokerageAccount } from '@tradewright/contract/brokerage-accounts'
import { type FormEvent, useState } from 'react'
import { CancelFormButton } from '../../../ui/form/cancel-form-button.tsx'
import { BoundedNumberField } from '../../../ui/form/fields/bounded-number-field.tsx'
import type { SettingsMessage } from '../messages.ts'
import classes from './accounts-section.module.css'
import { checkBorrowRate, MAX_BORROW_PCT } from './messages.ts'
import { useChangeAccount } from './queries.ts'

interface BorrowRateFormProps {
  account: BrokerageAccount
  tell: (message: SettingsMessage) => void
  onClose: () => void
}

/** The rate of a built-in account, whose broker sets none. */
export function BorrowRateForm({ account, tell, onClose }: BorrowRateFormProps) {
  const [rate, setRate] = useState(String(account.short_borrow_pct ?? ''))
  const change = useChangeAccount(tell)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = checkBorrowRate(rate)
    if (wrong) return tell({ kind: 'error', text: wrong })
    const body = { id: account.id, account_name: account.account_name, short_borrow_pct: Number(rate) }
    change.mutate(body, { onSuccess: onClose })
  }
  return (
    <form className={classes.form} aria-label={`Borrow rate of ${account.account_name}`} noValidate onSubmit={submit}>
      <BoundedNumberField
        label="Borrow rate"
        hint="What borrowed shares of short positions cost a year. It counts from the next night on."
        unit="%"
        min={0}
        max={MAX_BORROW_PCT}
        value={rate}
        onChange={setRate}
      />
      <div className={classes.buttons}>
        <Button type="submit" disabled={change.isPending}>
          {change.isPending ? 'Saving...' : 'Save rate'}
        </Button>
        <CancelFormButton onCancel={onClose} />
      </div>
    </form>
  )
}
