import { Button } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

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
