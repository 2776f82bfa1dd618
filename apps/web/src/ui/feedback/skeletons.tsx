import { VisuallyHidden } from '@mantine/core'
import classes from './skeletons.module.css'
import spinnerClasses from './spinner.module.css'

/** A grey bar in the place of words to come. */
export function SkeletonLine({ width, height = 12 }: { width: string | number; height?: number }) {
  return <span className={classes.line} style={{ width, height }} aria-hidden />
}

/** In the shape of a card with a title and rows, while its data is on its way. */
export function CardSkeleton({ rows, label = 'Loading...' }: { rows: number; label?: string }) {
  return (
    <output className={classes.card}>
      <VisuallyHidden>{label}</VisuallyHidden>
      <SkeletonLine width="30%" height={16} />
      {Array.from({ length: rows }, (_, row) => (
        <SkeletonLine key={row} width={row % 2 ? '65%' : '80%'} />
      ))}
    </output>
  )
}

/** In the shape of a page header and one card, while a screen's code is on its way. */
export function ScreenSkeleton() {
  return (
    <output className={classes.screen}>
      <VisuallyHidden>Loading...</VisuallyHidden>
      <SkeletonLine width={220} height={24} />
      <SkeletonLine width={360} height={14} />
      <span className={classes.block} aria-hidden />
    </output>
  )
}

/** Centred over the height of the page, or of what is left of it. Where shapes are known, a skeleton is better. */
export function FullHeightSpinner() {
  return (
    <output className={spinnerClasses.fullHeight}>
      <span className={spinnerClasses.spinner} aria-hidden />
      <VisuallyHidden>Loading...</VisuallyHidden>
    </output>
  )
}
