import classes from '../bars.module.css'

/** Ten points either way fill the bar. */
const FULL = 0.1

/** How far an accuracy is above or below one half; the number itself stands beside it. */
export function AccuracyBar({ edge }: { edge: number }) {
  const width = Math.min(1, Math.abs(edge) / FULL) * 50
  return (
    <span className={classes.centred} aria-hidden>
      <span
        className={classes.edge}
        data-direction={edge < 0 ? 'loss' : 'gain'}
        style={{ width: `${width}%`, left: edge < 0 ? `${50 - width}%` : '50%' }}
      />
    </span>
  )
}
