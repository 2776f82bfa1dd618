import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { Button, PasswordInput } from '@mantine/core'
import { DEFAULT_OPENAI_MODEL, NO_OPENAI_KEY } from '@tradewright/contract/openai'
import { type FormEvent, useState } from 'react'
import { CancelFormButton } from '../../../ui/form/buttons.tsx'
import { SelectField, TextField } from '../../../ui/form/fields.tsx'
import { FieldError } from '../../../ui/form/field-error.tsx'
import { OPENAI_KEY_WARNING, type SettingsMessage } from '../messages.ts'
import { modelOptions } from './openai-model-options.ts'
import { useConnectOpenAi, useOpenAiModels } from './openai-queries.ts'
import classes from './openai-section.module.css'

interface ConnectFormProps {
  tell: (message: SettingsMessage) => void
  onDone: () => void
}

export function OpenAiConnectForm({ tell, onDone }: ConnectFormProps) {
  const [key, setKey] = useState('')
  const [model, setModel] = useState<string>(DEFAULT_OPENAI_MODEL)
  const [address, setAddress] = useState('')
  const [error, setError] = useState<string | null>(null)
  const models = useOpenAiModels(false)
  const connect = useConnectOpenAi(tell, onDone)
  const isUnusual = key.trim() !== '' && !key.trim().startsWith('sk-')

  const save = (event: FormEvent) => {
    event.preventDefault()
    if (connect.isPending) return
    if (key.trim() === '') {
      setError(NO_OPENAI_KEY)
      tell({ kind: 'error', text: NO_OPENAI_KEY })
      return
    }
    connect.mutate({ api_key: key.trim(), model_preference: model, base_url: address.trim() || null })
  }

  return (
    <form className={classes.form} noValidate onSubmit={save}>
      <PasswordInput
        label="API key"
        placeholder="sk-..."
        autoComplete="off"
        data-autofocus
        value={key}
        error={error && <FieldError text={error} />}
        visibilityToggleButtonProps={{ 'aria-label': 'Show characters', tabIndex: 0 }}
        onChange={(event) => {
          setKey(event.currentTarget.value)
          setError(null)
        }}
      />
      {isUnusual && <output className={classes.warning}>{OPENAI_KEY_WARNING}</output>}
      <SelectField label="Model" value={model} options={modelOptions(models.data?.models, model)} onChange={setModel} />
      <TextField
        label="Server address (optional)"
        hint="Of an OpenAI-compatible server, ending in /v1. Leave empty to use this site’s default."
        placeholder="https://api.openai.com/v1"
        value={address}
        onChange={setAddress}
      />
      <div className={classes.buttons}>
        <Button type="submit" aria-disabled={connect.isPending}>
          {connect.isPending ? 'Saving...' : 'Save'}
        </Button>
        <CancelFormButton onCancel={onDone} />
      </div>
    </form>
  )
}
