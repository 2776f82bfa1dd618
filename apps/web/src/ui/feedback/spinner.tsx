import { VisuallyHidden } from '@mantine/core'
import classes from './spinner.module.css'

/** Centred over the height of the page, or of what is left of it. Where shapes are known, a skeleton is better. */
export function FullHeightSpinner() {
  return (
    <output className={classes.fullHeight}>
      <span className={classes.spinner} aria-hidden />
      <VisuallyHidden>Loading...</VisuallyHidden>
    </output>
  )
}
