import { Button } from '@mantine/core'
import type { BrokerageAccount } from '@tradewright/contract/brokerage-accounts'
import { paperFillModels } from '@tradewright/core/broker-catalogue'
import { type FormEvent, useState } from 'react'
import { CancelFormButton } from '../../../ui/form/buttons.tsx'
import { BoundedNumberField } from '../../../ui/form/fields/bounded-number-field.tsx'
import { SelectField } from '../../../ui/form/fields.tsx'
import type { SettingsMessage } from '../messages.ts'
import classes from './accounts-section.module.css'
import { checkBorrowRate, fillModelLabels, MAX_BORROW_PCT } from './messages.ts'
import { useChangeAccount } from './queries.ts'

interface PaperConditionsFormProps {
  account: BrokerageAccount
  tell: (message: SettingsMessage) => void
  onClose: () => void
}

/** What the market and the broker decide elsewhere, and the owner of a built-in account chooses. */
export function PaperConditionsForm({ account, tell, onClose }: PaperConditionsFormProps) {
  const [rate, setRate] = useState(String(account.short_borrow_pct ?? ''))
  const [fillModel, setFillModel] = useState<string>(account.fill_model ?? 'last_price')
  const change = useChangeAccount(tell)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = checkBorrowRate(rate)
    if (wrong) return tell({ kind: 'error', text: wrong })
    const chosen = paperFillModels.find((one) => one === fillModel)
    const body = { account_name: account.account_name, short_borrow_pct: Number(rate), fill_model: chosen }
    change.mutate({ id: account.id, ...body }, { onSuccess: onClose })
  }
  return (
    <form className={classes.form} aria-label={`Conditions of ${account.account_name}`} noValidate onSubmit={submit}>
      <SelectField
        label="Fills"
        hint="As in the market: a purchase pays half the spread more, a sale gets half of it less, and an order gets at most a tenth of each minute's volume. At the last price: whole, at once."
        options={paperFillModels.map((value) => ({ value, label: fillModelLabels[value] }))}
        value={fillModel}
        onChange={setFillModel}
      />
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
          {change.isPending ? 'Saving...' : 'Save conditions'}
        </Button>
        <CancelFormButton onCancel={onClose} />
      </div>
    </form>
  )
}
