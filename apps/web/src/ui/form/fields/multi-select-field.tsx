import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/ScrollArea.layer.css'
import { MultiSelect } from '@mantine/core'
import { type FieldProps, wordsOf } from '../fields.tsx'
import classes from './multi-select-field.module.css'

interface MultiSelectFieldProps extends FieldProps {
  value: readonly string[]
  options: readonly (string | { value: string; label: string })[]
  onChange: (value: string[]) => void
  placeholder?: string
}

/** Most matches drawn at a time: a list of thousands is searched, not scrolled. */
const DRAWN_AT_MOST = 100

/** Any number of a list, found by typing. What is chosen stays in sight as pills. */
export function MultiSelectField({ value, options, onChange, placeholder, ...field }: MultiSelectFieldProps) {
  return (
    <MultiSelect
      {...wordsOf(field)}
      value={[...value]}
      data={[...options]}
      searchable
      clearable
      hidePickedOptions
      limit={DRAWN_AT_MOST}
      nothingFoundMessage="Nothing found"
      clearButtonProps={{ 'aria-label': `Clear ${field.label}` }}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      maxDropdownHeight={260}
      classNames={{
        input: classes.input ?? '',
        inputField: classes.inputField ?? '',
        pill: classes.pill ?? '',
        dropdown: classes.dropdown ?? '',
        option: classes.option ?? '',
      }}
      {...(placeholder && value.length === 0 ? { placeholder } : {})}
      onChange={onChange}
    />
  )
}
