import type { Icon } from '@tabler/icons-react'
import { Link } from 'react-router'
import classes from './icon-button.module.css'

interface IconButtonProps {
  icon: Icon
  /** Read out, and shown as a tooltip. */
  label: string
  onClick: () => void
  disabled?: boolean
  /** For a button that stays on until it is pressed again. */
  pressed?: boolean
}

/** A quiet action of a row or a field. */
export function IconButton({ icon: Glyph, label, onClick, disabled = false, pressed }: IconButtonProps) {
  return (
    <button
      type="button"
      className={classes.button}
      aria-label={label}
      title={label}
      disabled={disabled}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
      onClick={onClick}
    >
      <Glyph size={16} stroke={1.7} aria-hidden />
    </button>
  )
}

/** The same style for links to another screen. */
export function IconLink({ icon: Glyph, label, to }: { icon: Icon; label: string; to: string }) {
  return (
    <Link className={classes.button} aria-label={label} title={label} to={to}>
      <Glyph size={16} stroke={1.7} aria-hidden />
    </Link>
  )
}
