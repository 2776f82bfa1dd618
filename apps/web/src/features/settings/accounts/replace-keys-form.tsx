import { Button } from '@mantine/core'
import { type BrokerageAccount, ENTER_ACCOUNT_FIELDS } from '@tradewright/contract/brokerage-accounts'
import { type FormEvent, useState } from 'react'
import { SecretField } from '../../../ui/form/secret-field.tsx'
import type { SettingsMessage } from '../messages.ts'
import classes from './accounts-section.module.css'
import { useChangeAccount } from './queries.ts'

interface ReplaceKeysFormProps {
  account: BrokerageAccount
  tell: (message: SettingsMessage) => void
  onClose: () => void
}

/** For keys that were renewed or revoked at the broker: the account keeps its name and history. */
export function ReplaceKeysForm({ account, tell, onClose }: ReplaceKeysFormProps) {
  const [apiKey, setApiKey] = useState('')
  const [apiSecret, setApiSecret] = useState('')
  const change = useChangeAccount(tell)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!apiKey.trim() || !apiSecret.trim()) return tell({ kind: 'error', text: ENTER_ACCOUNT_FIELDS })
    const keys = { account_name: account.account_name, api_key: apiKey, api_secret: apiSecret }
    change.mutate({ id: account.id, ...keys }, { onSuccess: onClose })
  }
  return (
    <form className={classes.form} aria-label={`Replace keys of ${account.account_name}`} noValidate onSubmit={submit}>
      <div className={classes.pair}>
        <SecretField label="API Key" value={apiKey} onChange={setApiKey} />
        <SecretField label="API Secret" value={apiSecret} onChange={setApiSecret} />
      </div>
      <div className={classes.buttons}>
        <Button type="submit" disabled={change.isPending}>
          {change.isPending ? 'Checking the keys...' : 'Save keys'}
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
