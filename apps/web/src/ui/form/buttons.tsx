import type { Icon } from '@tabler/icons-react'
import { Link } from 'react-router'
import { Button, type ButtonProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './icon-button.module.css'
import { UnsavedWorkQuestion } from '../layout/confirm-modal.tsx'
import { hasUnsavedWork } from './unsaved-work.ts'

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

interface LinkButtonProps {
  to: string
  primary?: boolean
  icon?: Icon
  children: ReactNode
}

/** Looks like a button, is a link: for actions that only lead to another screen. */
export function LinkButton({ to, primary = false, icon: Glyph, children }: LinkButtonProps) {
  return (
    <Button
      component={Link}
      to={to}
      variant={primary ? 'filled' : 'default'}
      leftSection={Glyph && <Glyph size={16} stroke={1.7} aria-hidden />}
    >
      {children}
    </Button>
  )
}

interface CancelFormButtonProps extends Pick<ButtonProps, 'size'> {
  onCancel: () => void
}

/** The Cancel of a form that is part of the page: asks first where something was typed and not sent. */
export function CancelFormButton({ onCancel, ...button }: CancelFormButtonProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        {...button}
        variant="default"
        onClick={({ currentTarget: { form } }) => {
          if (form && hasUnsavedWork(form)) setAsking(true)
          else onCancel()
        }}
      >
        Cancel
      </Button>
      {isAsking && <UnsavedWorkQuestion onStay={() => setAsking(false)} onClose={onCancel} />}
    </>
  )
}
