import classes from './status-pill.module.css'

/** Each status has a shape and a word of its own; colour only helps. */
export type StatusShape = 'disc' | 'bars' | 'square' | 'ring' | 'cross'

const TONES: Record<StatusShape, string> = {
  disc: 'gain',
  bars: 'warn',
  square: 'plain',
  ring: 'plain',
  cross: 'loss',
}

export function StatusPill({ shape, word }: { shape: StatusShape; word: string }) {
  return (
    <span className={classes.pill} data-tone={TONES[shape]}>
      <span className={classes.shape} data-shape={shape} aria-hidden />
      {word}
    </span>
  )
}
