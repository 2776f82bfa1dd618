import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** Looks like a button, is a link: for actions that only lead to another screen. */
export function LinkButton({ to, primary = false, children }: { to: string; primary?: boolean; children: ReactNode }) {
  return (
    <Button component={Link} to={to} variant={primary ? 'filled' : 'default'}>
      {children}
    </Button>
  )
}
