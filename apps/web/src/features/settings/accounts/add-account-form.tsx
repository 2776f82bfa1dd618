import { Button } from '@mantine/core'
import { type BrokerId, brokerOf, brokersWithKeys } from '@tradewright/core/broker-catalogue'
import { type FormEvent, useState } from 'react'
import { CancelFormButton } from '../../../ui/form/buttons.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/form/fields.tsx'
import type { SettingsMessage } from '../messages.ts'
import classes from './accounts-section.module.css'
import { CredentialFields, NO_CREDENTIALS } from './credential-fields.tsx'
import { checkNewAccount } from './messages.ts'
import { useAddAccount } from './queries.ts'

const NEW_ACCOUNT = {
  broker: 'alpaca' as (typeof brokersWithKeys)[number]['id'],
  account_name: '',
  ...NO_CREDENTIALS,
  paper_trading: true,
  is_default: false,
}

const BROKERS = brokersWithKeys.map(({ id, name }) => ({ value: id, label: name }))

interface AddAccountFormProps {
  tell: (message: SettingsMessage) => void
  onClose: () => void
}

export function AddAccountForm({ tell, onClose }: AddAccountFormProps) {
  const [form, setForm] = useState(NEW_ACCOUNT)
  const add = useAddAccount(tell)
  const edit = (change: Partial<typeof NEW_ACCOUNT>) => setForm({ ...form, ...change })
  const { name, help, paperHint } = brokerOf(form.broker)
  /** Where there is no virtual money, an account is one with real money. */
  const choose = (broker: BrokerId) =>
    edit({ broker: broker as typeof form.broker, paper_trading: brokerOf(broker).paperHint !== undefined })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = checkNewAccount(form)
    if (wrong) tell({ kind: 'error', text: wrong })
    else add.mutate(form, { onSuccess: onClose })
  }
  return (
    <form className={classes.form} aria-label="Add account" noValidate onSubmit={submit}>
      <SelectField
        label="Broker"
        {...(help !== undefined && { hint: help })}
        value={form.broker}
        options={BROKERS}
        onChange={(broker) => choose(broker as BrokerId)}
      />
      <TextField
        label="Account name"
        placeholder={form.paper_trading ? 'My paper account' : `My ${name} account`}
        value={form.account_name}
        onChange={(account_name) => edit({ account_name })}
      />
      <CredentialFields broker={form.broker} values={form} onChange={edit} />
      {paperHint !== undefined && (
        <CheckField
          label="Paper trading"
          hint={paperHint}
          checked={form.paper_trading}
          onChange={(paper_trading) => edit({ paper_trading })}
        />
      )}
      {!form.paper_trading && (
        <p className={classes.caution}>
          {paperHint === undefined && `${name} has no paper accounts. `}This account trades with real money once a
          strategy is deployed to it.
        </p>
      )}
      <CheckField label="Default account" checked={form.is_default} onChange={(is_default) => edit({ is_default })} />
      <div className={classes.buttons}>
        <Button type="submit" disabled={add.isPending}>
          {add.isPending ? 'Checking the keys...' : 'Save account'}
        </Button>
        <CancelFormButton onCancel={onClose} />
      </div>
    </form>
  )
}
