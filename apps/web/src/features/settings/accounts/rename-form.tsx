import { Button } from '@mantine/core'
import type { BrokerageAccount } from '@tradewright/contract/brokerage-accounts'
import { type FormEvent, useState } from 'react'
import { CancelFormButton } from '../../../ui/form/buttons.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import type { SettingsMessage } from '../messages.ts'
import classes from './accounts-section.module.css'
import { checkAccountName } from './messages.ts'
import { useChangeAccount } from './queries.ts'

interface RenameFormProps {
  account: BrokerageAccount
  tell: (message: SettingsMessage) => void
  onClose: () => void
}

export function RenameForm({ account, tell, onClose }: RenameFormProps) {
  const [name, setName] = useState(account.account_name)
  const change = useChangeAccount(tell)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = checkAccountName(name)
    if (wrong) tell({ kind: 'error', text: wrong })
    else change.mutate({ id: account.id, account_name: name.trim() }, { onSuccess: onClose })
  }
  return (
    <form className={classes.form} aria-label={`Rename ${account.account_name}`} noValidate onSubmit={submit}>
      <TextField label="New name" value={name} onChange={setName} />
      <div className={classes.buttons}>
        <Button type="submit" disabled={change.isPending}>
          {change.isPending ? 'Saving...' : 'Save name'}
        </Button>
        <CancelFormButton onCancel={onClose} />
      </div>
    </form>
  )
}
