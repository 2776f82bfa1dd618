import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { Feature } from '@tradewright/contract/features'
import { useState } from 'react'
import { findEntry } from '../../../strategy-form/catalogue.ts'
import { useFeatures } from '../../../strategy-form/queries.ts'
import { starterFeatures } from '../../../strategy-form/starter-set.ts'
import classes from '../../../strategy-form/setup.module.css'
import { FieldError } from '../../../ui/form/field-error.tsx'
import { SelectField } from '../../../ui/form/fields.tsx'
import { featureTypeOf } from '../form/feature-ranges.ts'
import type { EditProps } from '../form/form.ts'
import { catalogueFailed } from '../messages.ts'
import { FeatureRanges } from './feature-ranges-list.tsx'

export function FeaturesSection({ form, edit }: EditProps) {
  const features = useFeatures()
  const catalogue = features.data ?? []
  const [picked, setPicked] = useState('')
  const chosen = form.featureTypes
  const isChosen = (feature: Feature) => chosen.some(({ id }) => findEntry(catalogue, id) === feature)
  const add = (added: readonly Feature[]) =>
    edit({
      featureTypes: [
        ...chosen,
        ...added.filter((feature) => !isChosen(feature)).map((feature) => featureTypeOf(feature)),
      ],
    })

  return (
    <div className={classes.section}>
      <fieldset className={classes.group}>
        <legend>Feature types {chosen.length > 0 && chosen.length}</legend>
        <div className={classes.pickRow}>
          <SelectField
            label="Feature type"
            hideLabel
            value={picked}
            options={[
              { value: '', label: 'Choose a feature...' },
              ...catalogue.map((feature) => ({
                value: String(feature.id),
                label: feature.name,
                disabled: isChosen(feature),
              })),
            ]}
            onChange={setPicked}
          />
          <Button
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={picked === ''}
            onClick={() => {
              add(catalogue.filter(({ id }) => String(id) === picked))
              setPicked('')
            }}
          >
            Add Feature
          </Button>
        </div>
        {picked !== '' && <p className={classes.hint}>{findEntry(catalogue, Number(picked))?.description}</p>}
        {chosen.length === 0 && catalogue.length > 0 && (
          <p className={classes.hint}>
            New here?{' '}
            <Button variant="default" size="compact-sm" onClick={() => add(starterFeatures(catalogue))}>
              Add a starter set
            </Button>
          </p>
        )}
        {features.isError && <FieldError text={catalogueFailed('feature', features.error)} />}
      </fieldset>
      {chosen.length > 0 && (
        <FeatureRanges catalogue={catalogue} chosen={chosen} onChange={(featureTypes) => edit({ featureTypes })} />
      )}
    </div>
  )
}
