import { VisuallyHidden } from '@mantine/core'
import classes from './spinner.module.css'

/** Centred over the height of the page. For the session check only; known shapes get a skeleton instead. */
export function FullHeightSpinner() {
  return (
    <output className={classes.fullHeight}>
      <span className={classes.spinner} aria-hidden />
      <VisuallyHidden>Loading...</VisuallyHidden>
    </output>
  )
}
