import { NumberField } from '../ui/form/fields.tsx'
import type { NumberText } from './form-values.ts'
import classes from './setup.module.css'

interface SplitForm {
  trainSize: NumberText
  testSize: NumberText
  walkForwardEnabled: boolean
}

interface SplitFieldsProps {
  form: SplitForm
  edit: (change: Partial<Pick<SplitForm, 'trainSize' | 'testSize'>>) => void
}

export function SplitFields({ form, edit }: SplitFieldsProps) {
  return (
    <>
      <div className={classes.row}>
        <NumberField
          label="Train size"
          term="train size"
          unit="%"
          value={form.trainSize}
          onChange={(trainSize) => edit({ trainSize })}
        />
        <NumberField
          label="Test size"
          term="test size"
          unit="%"
          value={form.testSize}
          onChange={(testSize) => edit({ testSize })}
        />
      </div>
      {form.walkForwardEnabled && <p className={classes.hint}>Walk-forward uses its own windows instead.</p>}
    </>
  )
}
