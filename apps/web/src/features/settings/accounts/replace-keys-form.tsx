import { Button } from '@mantine/core'
import { type BrokerageAccount, ENTER_ACCOUNT_FIELDS } from '@tradewright/contract/brokerage-accounts'
import { type FormEvent, useState } from 'react'
import type { SettingsMessage } from '../messages.ts'
import classes from './accounts-section.module.css'
import { CredentialFields, NO_CREDENTIALS } from './credential-fields.tsx'
import { hasCredentials } from './messages.ts'
import { CancelFormButton } from '../../../ui/form/buttons.tsx'
import { useChangeAccount } from './queries.ts'

interface ReplaceKeysFormProps {
  account: BrokerageAccount
  tell: (message: SettingsMessage) => void
  onClose: () => void
}

/** For keys that were renewed or revoked at the broker: the account keeps its name and history. */
export function ReplaceKeysForm({ account, tell, onClose }: ReplaceKeysFormProps) {
  const [credentials, setCredentials] = useState(NO_CREDENTIALS)
  const change = useChangeAccount(tell)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!hasCredentials(account.broker, credentials)) return tell({ kind: 'error', text: ENTER_ACCOUNT_FIELDS })
    const { id, account_name } = account
    change.mutate({ id, account_name, ...credentials }, { onSuccess: onClose })
  }
  return (
    <form className={classes.form} aria-label={`Replace keys of ${account.account_name}`} noValidate onSubmit={submit}>
      <CredentialFields
        broker={account.broker}
        values={credentials}
        onChange={(edited) => setCredentials({ ...credentials, ...edited })}
      />
      <div className={classes.buttons}>
        <Button type="submit" disabled={change.isPending}>
          {change.isPending ? 'Checking the keys...' : 'Save keys'}
        </Button>
        <CancelFormButton onCancel={onClose} />
      </div>
    </form>
  )
}
