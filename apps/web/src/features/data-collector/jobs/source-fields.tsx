import { Button } from '@mantine/core'
import type { DataStore } from '@tradewright/contract/data-stores'
import { GRANULARITIES } from '@tradewright/contract/data-collector-fields'
import { CheckField, SelectField } from '../../../ui/form/fields.tsx'
import { MultiSelectField } from '../../../ui/form/fields/multi-select-field.tsx'
import { useProviders } from '../queries.ts'
import classes from './job-fields.module.css'
import { categoryChoices, type JobForm, type JobProblems, withProvider } from './job-form.ts'

interface SourceFieldsProps {
  form: JobForm
  problems: JobProblems
  stores: readonly DataStore[]
  onChange: (form: JobForm) => void
}

/** Where data come from, what of them, and where they go. */
export function SourceFields({ form, problems, stores, onChange }: SourceFieldsProps) {
  const providers = useProviders().data ?? []
  const provider = providers.find(({ id }) => id === form.providerId)
  const choices = categoryChoices(provider)
  const edit = (change: Partial<JobForm>) => onChange({ ...form, ...change })
  return (
    <>
      <div className={classes.three}>
        <SelectField
          label="Provider"
          required
          value={form.providerId}
          error={problems.providerId}
          options={[
            { value: '', label: 'Choose a provider...' },
            ...providers.map(({ id, display_name }) => ({ value: id, label: display_name })),
          ]}
          onChange={(id) => onChange(withProvider(form, id, providers))}
        />
        <SelectField
          label="Data store"
          value={form.storeId}
          options={stores.map(({ id, name, is_default }) => ({
            value: String(id),
            label: is_default ? `${name} (default)` : name,
          }))}
          onChange={(storeId) => edit({ storeId })}
        />
        <SelectField
          label="Data granularity"
          required
          value={form.granularity}
          error={problems.granularity}
          options={[
            { value: '', label: 'Choose...' },
            ...GRANULARITIES.map((word) => ({
              value: word,
              label: word,
              disabled: provider !== undefined && !provider.granularities.includes(word),
            })),
          ]}
          onChange={(word) => edit({ granularity: GRANULARITIES.find((one) => one === word) ?? '' })}
        />
      </div>
      <div>
        <MultiSelectField
          label="Categories"
          hint={provider ? `What ${provider.display_name} offers` : 'Choose a provider to see what it offers'}
          value={form.categories}
          options={choices}
          onChange={(categories) => edit({ categories })}
        />
        {provider && form.categories.length < choices.length && (
          <Button variant="subtle" className={classes.inline ?? ''} onClick={() => edit({ categories: choices })}>
            All {choices.length} categories
          </Button>
        )}
      </div>
      {provider?.capabilities.bulk_mode && (
        <CheckField
          label="Bulk mode"
          hint="Requests all tickers of a batch in one call"
          checked={form.isBulk}
          onChange={(isBulk) => edit({ isBulk })}
        />
      )}
    </>
  )
}
