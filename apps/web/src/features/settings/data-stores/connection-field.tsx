import { SelectField, TextField } from '../../../ui/form/fields.tsx'
import { SecretField, TextAreaField } from '../../../ui/form/fields/text-fields.tsx'
import { isRequired, S3_REGIONS, type StoreField } from './store-fields.ts'
import type { StoreForm } from './store-form.ts'

interface ConnectionFieldProps {
  field: StoreField
  form: StoreForm
  isWrong: boolean
  onChange: (value: string) => void
}

export function ConnectionField({ field, form, isWrong, onChange }: ConnectionFieldProps) {
  const isKept = form.storedSecrets.includes(field.name)
  const common = {
    label: field.label,
    required: isRequired(form.storeType, field.name),
    hint: isKept ? 'Stored; leave empty to keep the current value' : field.hint,
    value: form.connection[field.name] ?? '',
    error: isWrong ? `${field.label} is required` : undefined,
    onChange,
  }
  if (field.kind === 'json') return <TextAreaField {...common} mono rows={3} />
  if (field.kind === 'region') {
    // A region of another vendor, set through the API, stays.
    return <SelectField {...common} options={[...new Set([...S3_REGIONS, common.value])].filter(Boolean)} />
  }
  if (field.kind === 'secret') return <SecretField {...common} />
  return <TextField {...common} />
}
