import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/ScrollArea.layer.css'
import { Select } from '@mantine/core'
import { type SelectFieldProps, wordsOf } from '../fields.tsx'
import classes from './multi-select-field.module.css'

/** Most matches drawn at a time. */
const DRAWN_AT_MOST = 100

/** One of a long list, found by typing: a native list of hundreds can only be scrolled. */
export default function SearchSelectField({ value, options, onChange, ...field }: SelectFieldProps) {
  return (
    <Select
      {...wordsOf(field)}
      value={value}
      data={[...options]}
      searchable
      allowDeselect={false}
      limit={DRAWN_AT_MOST}
      nothingFoundMessage="Nothing found"
      comboboxProps={{ transitionProps: { duration: 0 }, withinPortal: false }}
      maxDropdownHeight={320}
      classNames={{ dropdown: classes.dropdown ?? '', option: classes.option ?? '' }}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      onFocus={(event) => event.currentTarget.select()}
    />
  )
}
