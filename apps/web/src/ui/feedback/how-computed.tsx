import '@mantine/core/styles/Popover.layer.css'
import { Popover } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './how-computed.module.css'

interface HowComputedProps {
  /** The figure's name: `CAGR`. */
  of: string
  children: ReactNode
}

/** Beside a figure: opens the words for how it came to be. */
export function HowComputed({ of, children }: HowComputedProps) {
  return (
    <Popover width={320} position="bottom-start" shadow="md" withinPortal trapFocus={false}>
      <Popover.Target>
        <button type="button" className={classes.button} aria-label={`How is ${of} computed?`}>
          <IconHelpCircle size={14} stroke={1.7} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <p className={classes.heading}>How is {of} computed?</p>
        <p className={classes.text}>{children}</p>
      </Popover.Dropdown>
    </Popover>
  )
}
