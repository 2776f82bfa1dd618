import { Button } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconPlus, IconX } from '@tabler/icons-react'
import type { Feature } from '@tradewright/contract/features'
import { useState } from 'react'
import { SelectField } from '../../ui/form/fields.tsx'
import { IconButton } from '../../ui/form/buttons.tsx'
import { defaultParams, findEntry, paramsSummary } from '../../strategy-form/catalogue.ts'
import { nextKey } from '../../strategy-form/tickers/allocation-rows.ts'
import type { ChosenFeature } from './form/form.ts'
import { ParameterInputs } from '../../strategy-form/parameter-inputs.tsx'
import { useFeatures } from '../../strategy-form/queries.ts'
import classes from '../../strategy-form/setup.module.css'

interface FeaturePickerProps {
  chosen: ChosenFeature[]
  onChange: (chosen: ChosenFeature[]) => void
}

export function FeaturePicker({ chosen, onChange }: FeaturePickerProps) {
  const features = useFeatures()
  const catalogue = features.data ?? []
  const [picked, setPicked] = useState('')
  const [openKey, setOpenKey] = useState<number | null>(null)

  const add = () => {
    const feature = catalogue.find(({ id }) => String(id) === picked)
    if (!feature) return
    const key = nextKey(chosen)
    const params = defaultParams(feature.config.params_def)
    onChange([...chosen, { key, id: feature.id, name: feature.name, params }])
    setOpenKey(key)
    setPicked('')
  }

  return (
    <fieldset className={classes.group}>
      <legend>Features {chosen.length > 0 && chosen.length}</legend>
      {chosen.length > 0 && (
        <ul className={classes.chosen}>
          {chosen.map((one) => (
            <ChosenRow
              key={one.key}
              chosen={one}
              feature={findEntry(catalogue, one.id)}
              isOpen={openKey === one.key}
              onToggle={() => setOpenKey(openKey === one.key ? null : one.key)}
              onChange={(params) => onChange(chosen.map((other) => (other === one ? { ...one, params } : other)))}
              onRemove={() => onChange(chosen.filter((other) => other !== one))}
            />
          ))}
        </ul>
      )}
      <div className={classes.pickRow}>
        <SelectField
          label="Feature"
          hideLabel
          value={picked}
          options={[
            { value: '', label: features.isError ? 'Features could not be loaded' : 'Choose a feature...' },
            ...catalogue.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          onChange={setPicked}
        />
        <Button
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={picked === ''}
          onClick={add}
        >
          Add Feature
        </Button>
      </div>
      {picked !== '' && (
        <p className={classes.hint}>{catalogue.find(({ id }) => String(id) === picked)?.description}</p>
      )}
    </fieldset>
  )
}

interface ChosenRowProps {
  chosen: ChosenFeature
  /** Undefined while the catalogue is on its way, or when it does not know this feature. */
  feature: Feature | undefined
  isOpen: boolean
  onToggle: () => void
  onChange: (params: ChosenFeature['params']) => void
  onRemove: () => void
}

function ChosenRow({ chosen, feature, isOpen, onToggle, onChange, onRemove }: ChosenRowProps) {
  const name = feature?.name ?? chosen.name
  const definitions = feature?.config.params_def ?? []
  return (
    <li>
      <div className={classes.chosenRow}>
        <span className={classes.chosenName}>
          {name} <span className={classes.hint}>{paramsSummary(definitions, chosen.params)}</span>
        </span>
        {feature && <IconButton icon={IconAdjustmentsHorizontal} label={`Parameters of ${name}`} onClick={onToggle} />}
        <IconButton icon={IconX} label={`Remove ${name}`} onClick={onRemove} />
      </div>
      {isOpen && feature && (
        <ParameterInputs owner={name} definitions={definitions} params={chosen.params} onChange={onChange} />
      )}
    </li>
  )
}
