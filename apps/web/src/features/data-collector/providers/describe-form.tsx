import { Button } from '@mantine/core'
import { useState } from 'react'
import { CancelButton } from '../../../ui/layout/content-modal.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import { TextAreaField } from '../../../ui/form/fields/text-area-field.tsx'
import layout from '../layout.module.css'
import type { Tell } from '../use-notice.ts'
import { type ApiForm, useGenerateProvider } from './provider-queries.ts'

interface DescribeFormProps {
  tell: Tell
  onGenerated: (definition: unknown) => void
}

const EMPTY: ApiForm = { provider_name: '', api_documentation: '', additional_context: '' }

/** Marks what is needed and leaves the checking to the server. */
export function DescribeForm({ tell, onGenerated }: DescribeFormProps) {
  const [form, setForm] = useState(EMPTY)
  const generation = useGenerateProvider(tell)
  const edit = (change: Partial<ApiForm>) => setForm((before) => ({ ...before, ...change }))
  return (
    <form
      className={layout.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        generation.mutate(form, { onSuccess: ({ definition }) => onGenerated(definition) })
      }}
    >
      <p className={layout.words}>
        Your AI model turns the documentation of an API into a definition: addresses and the fields to read, never code.
        You can test it before it is saved.
      </p>
      <TextField
        label="Provider name"
        required
        value={form.provider_name}
        onChange={(provider_name) => edit({ provider_name })}
      />
      <TextAreaField
        label="Documentation URL"
        required
        hint="The address of the API's documentation, or its text"
        rows={3}
        value={form.api_documentation}
        onChange={(api_documentation) => edit({ api_documentation })}
      />
      <TextAreaField
        label="Additional context"
        hint="Which endpoint to use and which tickers it supports"
        rows={2}
        value={form.additional_context}
        onChange={(additional_context) => edit({ additional_context })}
      />
      <div className={layout.foot}>
        <CancelButton />
        <Button type="submit" disabled={generation.isPending}>
          {generation.isPending ? 'Generating...' : 'Generate Provider'}
        </Button>
      </div>
    </form>
  )
}
