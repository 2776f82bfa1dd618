import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { MultiSelect, Combobox, TextInput, useCombobox, Switch } from '@mantine/core'
import { type FieldProps, wordsOf } from '../fields.tsx'
import classes from './multi-select-field.module.css'
import fieldClasses from '../fields.module.css'
import comboboxFieldClasses from './combobox-field.module.css'

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

export interface ComboboxOption {
  value: string
  /** Shown beside the value. */
  name: string
  /** Quieter, at the end of the line. */
  detail: string
}

interface ComboboxFieldProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  /** Suggestions for what is typed; any other text is taken as well. */
  options: readonly ComboboxOption[]
  /** In place of suggestions, why there are none. */
  notice?: string | undefined
  onChoose: (value: string) => void
  /** Whether suggestions may be shown: asked for only while the field is in use. */
  onActive: (isActive: boolean) => void
  /** Enter without a choice; where it is left out, the form is sent. */
  onEnter?: (() => void) | undefined
  placeholder?: string
}

/** Wider than most fields, since names are longer than values; never wider than a phone. */
const LIST_WIDTH = 'min(320px, calc(100vw - 32px))'

/**
 * A text field with suggestions (ARIA combobox with a list): typing or an arrow key opens the list, arrows move, Enter or a
 * click chooses, Escape closes. Enter without a choice sends the form.
 */
export function ComboboxField(props: ComboboxFieldProps) {
  const { value, onChange, options, notice, onChoose, onActive, onEnter, placeholder, ...field } = props
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const open = () => {
    onActive(true)
    combobox.openDropdown()
  }
  return (
    <Combobox
      store={combobox}
      keepMounted={false}
      width={LIST_WIDTH}
      position="bottom-start"
      transitionProps={{ duration: 0 }}
      onOptionSubmit={(chosen) => {
        onChoose(chosen)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...wordsOf(field)}
          value={value}
          classNames={{ input: fieldClasses.input ?? '', wrapper: fieldClasses.wrapper ?? '' }}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-autocomplete="list"
          {...(placeholder ? { placeholder } : {})}
          onChange={(event) => {
            onChange(event.currentTarget.value)
            open()
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') onActive(true)
            if (event.key === 'Enter' && onEnter && combobox.getSelectedOptionIndex() === -1) {
              event.preventDefault()
              onEnter()
            }
          }}
          onBlur={() => {
            combobox.closeDropdown()
            onActive(false)
          }}
        />
      </Combobox.Target>
      {options.length === 0 && notice && (
        <Combobox.Dropdown className={comboboxFieldClasses.dropdown ?? ''}>
          <Combobox.Empty className={comboboxFieldClasses.notice ?? ''} role="alert">
            {notice}
          </Combobox.Empty>
        </Combobox.Dropdown>
      )}
      {options.length > 0 && (
        <Combobox.Dropdown className={comboboxFieldClasses.dropdown ?? ''}>
          <Combobox.Options aria-label="Suggestions" className={comboboxFieldClasses.list ?? ''}>
            {options.map((option) => (
              <Combobox.Option key={option.value} value={option.value} className={comboboxFieldClasses.option ?? ''}>
                <span className={comboboxFieldClasses.value}>{option.value}</span>
                <span className={comboboxFieldClasses.name}>{option.name}</span>
                <span className={comboboxFieldClasses.detail}>{option.detail}</span>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      )}
    </Combobox>
  )
}

interface SwitchFieldProps {
  label: string
  hint?: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** For what is on or off from the moment it is flipped, or from the moment the form is sent. */
export function SwitchField({ label, hint, checked, disabled = false, onChange }: SwitchFieldProps) {
  return (
    <Switch
      label={label}
      checked={checked}
      disabled={disabled}
      {...(hint ? { description: hint } : {})}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
