import { SelectField } from '../../../ui/form/fields.tsx'
import { columnName, LEFT_OUT, MEANINGS, OWN_COLUMN } from './csv-header.ts'
import classes from './import-form.module.css'

interface ColumnChoicesProps {
  headers: readonly string[]
  choice: Readonly<Record<string, string>>
  onChange: (choice: Record<string, string>) => void
}

/** Usual names are understood without a word; the others can be told. */
export function ColumnChoices({ headers, choice, onChange }: ColumnChoicesProps) {
  return (
    <details className={classes.columns}>
      <summary>Columns: {headers.join(', ')}</summary>
      <div className={classes.three}>
        {headers.map((header) => (
          <SelectField
            key={header}
            label={header || '(no name)'}
            value={choice[header] ?? ''}
            options={[
              ...MEANINGS.map((meaning) => ({ value: meaning, label: meaning || 'Automatic' })),
              { value: OWN_COLUMN, label: `Keep as ${columnName(header)}` },
              { value: LEFT_OUT, label: 'Leave out' },
            ]}
            onChange={(meaning) => onChange({ ...choice, [header]: meaning })}
          />
        ))}
      </div>
    </details>
  )
}
