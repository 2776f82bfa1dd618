import { ForestFields } from '../../strategy-form/forest-fields.tsx'
import { SelectField } from '../../ui/form/fields.tsx'
import type { EditProps } from './edit-props.ts'

const MAX_FEATURES = ['sqrt', 'log2', 'auto', 'all']

export function ForestParameters({ form, edit }: EditProps) {
  const others = MAX_FEATURES.includes(form.maxFeatures) ? [] : [form.maxFeatures]
  return (
    <ForestFields
      legend={`${form.mlModelType} parameters`}
      range={(from, to) => `${from} to ${to}`}
      form={form}
      edit={edit}
      maxFeatures={
        <SelectField
          label="Max features"
          hint="Per split"
          value={form.maxFeatures}
          options={[...MAX_FEATURES, ...others]}
          onChange={(maxFeatures) => edit({ maxFeatures })}
        />
      }
    />
  )
}
