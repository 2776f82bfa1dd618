import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { PasswordInput, Textarea } from '@mantine/core'
import { IconFile, IconUpload } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { type FieldProps, wordsOf } from '../fields.tsx'
import { FieldError } from '../field-error.tsx'
import classes from './secret-field.module.css'
import textAreaFieldClasses from './text-area-field.module.css'
import { formatSize } from '../../../lib/format.ts'
import fileFieldClasses from './file-field.module.css'

interface SecretFieldProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  placeholder?: string
  /** The browser's autofill: the user's password, a new one, or none. */
  autoComplete?: 'current-password' | 'new-password' | 'off'
}

/** For keys and passwords: written, never read back. */
export function SecretField({ value, onChange, placeholder, autoComplete = 'off', ...field }: SecretFieldProps) {
  return (
    <PasswordInput
      {...wordsOf(field)}
      value={value}
      autoComplete={autoComplete}
      spellCheck={false}
      classNames={{ input: classes.input ?? '', innerInput: classes.inner ?? '' }}
      {...(placeholder ? { placeholder } : {})}
      // Without the field's own name: a search for the field by its label finds the field alone.
      visibilityToggleButtonProps={{ 'aria-label': 'Show characters', tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface TextAreaFieldProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  placeholder?: string
  rows?: number
  /** For machine text, such as JSON. */
  mono?: boolean
}

export function TextAreaField({ value, onChange, placeholder, rows = 3, mono = false, ...field }: TextAreaFieldProps) {
  return (
    <Textarea
      {...wordsOf(field)}
      value={value}
      rows={rows}
      classNames={{ input: `${textAreaFieldClasses.input} ${mono ? textAreaFieldClasses.mono : ''}` }}
      autoComplete="off"
      spellCheck={false}
      {...(placeholder ? { placeholder } : {})}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface FileFieldProps extends Pick<FieldProps, 'label' | 'hint' | 'error'> {
  /** As the file input takes it: `.json,application/json`. */
  accept: string
  file: File | null
  onChange: (file: File | null) => void
}

/** One file, dropped or chosen. The input lies over the whole area: the browser itself takes the drop and the keys. */
export function FileField({ label, hint, error, accept, file, onChange }: FileFieldProps) {
  const id = useId()
  const [isOver, setOver] = useState(false)
  return (
    <div className={fileFieldClasses.field}>
      <label className={fileFieldClasses.label} htmlFor={id}>
        {label}
      </label>
      <div className={fileFieldClasses.area} data-over={isOver} data-chosen={file !== null}>
        {file ? <IconFile size={18} stroke={1.7} aria-hidden /> : <IconUpload size={18} stroke={1.7} aria-hidden />}
        <span className={fileFieldClasses.words}>
          <span className={fileFieldClasses.name}>{file ? file.name : 'Drop a file here, or choose one'}</span>
          {file && (
            <span className={`${fileFieldClasses.size} tabular`}>
              {formatSize(file.size)}. Drop or choose another one
            </span>
          )}
        </span>
        <input
          id={id}
          type="file"
          accept={accept}
          aria-describedby={hint || error ? `${id}-about` : undefined}
          aria-invalid={error ? true : undefined}
          onDragEnter={() => setOver(true)}
          onDragLeave={() => setOver(false)}
          onDrop={() => setOver(false)}
          onChange={(event) => onChange(event.currentTarget.files?.[0] ?? null)}
        />
      </div>
      {(error ?? hint) && (
        <span id={`${id}-about`} className={fileFieldClasses.hint}>
          {error ? <FieldError text={error} /> : hint}
        </span>
      )}
    </div>
  )
}
