import { Button } from '@mantine/core'
import { type DataStore, PARTITION_STRATEGIES, STORE_TYPES } from '@tradewright/contract/data-stores'
import { useState } from 'react'
import { CancelFormButton } from '../../../ui/form/buttons.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/form/fields.tsx'
import type { SettingsMessage } from '../messages.ts'
import { ConnectionField } from './connection-field.tsx'
import classes from './data-stores.module.css'
import { STORE_FIELDS } from './store-fields.ts'
import { COMPRESSIONS, fromStore, newStoreForm, problemsOf, type StoreForm, toBody } from './store-form.ts'
import { useSaveStore } from './store-queries.ts'

interface StoreFieldsProps {
  /** Undefined: a new one. */
  store: DataStore | undefined
  tell: (message: SettingsMessage) => void
  onClose: () => void
}

export function StoreFields({ store, tell, onClose }: StoreFieldsProps) {
  const [form, setForm] = useState<StoreForm>(() => (store ? fromStore(store) : newStoreForm()))
  const [wrong, setWrong] = useState<readonly string[]>([])
  const save = useSaveStore(tell)
  const edit = (change: Partial<StoreForm>) => setForm((before) => ({ ...before, ...change }))
  const submit = () => {
    const problems = problemsOf(form)
    setWrong(problems?.fields ?? [])
    if (problems) tell({ kind: 'error', text: problems.text })
    else save.mutate({ id: store?.id, body: toBody(form) }, { onSuccess: onClose })
  }
  return (
    <form
      className={classes.form}
      aria-label={store ? `Edit ${store.name}` : 'Add Data Store'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className={classes.two}>
        <TextField
          label="Store name"
          required
          value={form.name}
          error={wrong.includes('name') ? 'Please enter a store name' : undefined}
          onChange={(name) => edit({ name })}
        />
        <SelectField
          label="Store type"
          hint={store ? 'The type of a store cannot be changed' : 'Other types are added through the API'}
          disabled
          value={form.storeType}
          options={STORE_TYPES}
          onChange={() => {}}
        />
        {STORE_FIELDS[form.storeType].map((field) => (
          <ConnectionField
            key={field.name}
            field={field}
            form={form}
            isWrong={wrong.includes(field.name)}
            onChange={(value) => edit({ connection: { ...form.connection, [field.name]: value } })}
          />
        ))}
        <SelectField
          label="Partition strategy"
          value={form.partitionStrategy}
          options={PARTITION_STRATEGIES}
          onChange={(word) =>
            edit({ partitionStrategy: PARTITION_STRATEGIES.find((one) => one === word) ?? form.partitionStrategy })
          }
        />
        <SelectField
          label="Compression"
          value={form.compression}
          options={COMPRESSIONS}
          onChange={(word) => edit({ compression: COMPRESSIONS.find((one) => one === word) ?? form.compression })}
        />
      </div>
      <CheckField
        label="Default store"
        hint="Jobs and backtests use it unless they specify another"
        checked={form.isDefault}
        onChange={(isDefault) => edit({ isDefault })}
      />
      <div className={classes.buttons}>
        <Button type="submit" disabled={save.isPending}>
          {buttonWord(store !== undefined, save.isPending)}
        </Button>
        <CancelFormButton onCancel={onClose} />
      </div>
    </form>
  )
}

function buttonWord(isEdit: boolean, isBusy: boolean): string {
  if (isBusy) return 'Connecting...'
  return isEdit ? 'Update Data Store' : 'Save Data Store'
}
