import type { ComponentProps } from 'react'
import { SelectField } from '../../../ui/form/fields.tsx'
import classes from './rules.module.css'

/** A choice within the sentence of a card. */
export function InlineSelect(props: Omit<ComponentProps<typeof SelectField>, 'hideLabel'>) {
  return (
    <span className={classes.select}>
      <SelectField {...props} hideLabel />
    </span>
  )
}
