import { IconFile, IconUpload } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { formatSize } from '../../../lib/format.ts'
import type { FieldProps } from '../fields.tsx'
import { FieldError } from '../field-error.tsx'
import classes from './file-field.module.css'

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
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.area} data-over={isOver} data-chosen={file !== null}>
        {file ? <IconFile size={18} stroke={1.7} aria-hidden /> : <IconUpload size={18} stroke={1.7} aria-hidden />}
        <span className={classes.words}>
          <span className={classes.name}>{file ? file.name : 'Drop a file here, or choose one'}</span>
          {file && (
            <span className={`${classes.size} tabular`}>{formatSize(file.size)}. Drop or choose another one</span>
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
        <span id={`${id}-about`} className={classes.hint}>
          {error ? <FieldError text={error} /> : hint}
        </span>
      )}
    </div>
  )
}
