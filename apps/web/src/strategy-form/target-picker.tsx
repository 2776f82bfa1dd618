import { SelectField } from '../ui/form/fields.tsx'
import { defaultParams, findEntry } from './catalogue.ts'
import type { ChosenTarget } from './form-values.ts'
import { ParameterInputs } from './parameter-inputs.tsx'
import { useTargets } from './queries.ts'
import classes from './setup.module.css'

interface TargetPickerProps {
  chosen: ChosenTarget | null
  onChange: (chosen: ChosenTarget | null) => void
  /** Parameters that the form asks for elsewhere. */
  without?: readonly string[]
}

const NONE: readonly string[] = []

/** A target that came with a saved strategy waits in the form and appears here once the list has loaded. */
export function TargetPicker({ chosen, onChange, without = NONE }: TargetPickerProps) {
  const targets = useTargets()
  const catalogue = targets.data ?? []
  const target = chosen ? findEntry(catalogue, chosen.id) : undefined
  const definitions = target?.config.params_def.filter(({ name }) => !without.includes(name)) ?? []

  const choose = (id: string) => {
    const next = catalogue.find((one) => String(one.id) === id)
    onChange(next ? { id: next.id, params: defaultParams(next.config.params_def) } : null)
  }

  return (
    <div className={classes.fields}>
      <SelectField
        label="Target"
        term="target"
        hint={target?.description ?? 'What the model should predict'}
        value={target ? String(target.id) : ''}
        options={[
          { value: '', label: targets.isError ? 'Targets could not be loaded' : 'Choose a target...' },
          ...catalogue.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        onChange={choose}
      />
      {chosen && target && definitions.length > 0 && (
        <ParameterInputs
          owner={target.name}
          definitions={definitions}
          params={chosen.params}
          onChange={(params) => onChange({ id: target.id, params })}
        />
      )}
    </div>
  )
}
