import '@mantine/core/styles/Popover.layer.css'
import { Popover, VisuallyHidden } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { glossaryEntries, plainWords } from '@tradewright/core/guide'
import classes from './how-computed.module.css'
import text from '../../../../../docs/glossary.md?raw'

interface HowComputedProps {
  /** The name of a figure or a setting: `CAGR`. */
  of: string
  /** Its term in the glossary, where that is another one. */
  term?: string | undefined
  /** How it came to be. Without it, only the meaning of the term is shown. */
  children?: ReactNode
}

/** Beside a figure or a setting: opens what it means, by the glossary, and how it came to be. */
export function HowComputed({ of, term = of, children }: HowComputedProps) {
  const [isOpen, setOpen] = useState(false)
  const meaning = meaningOf(term)
  // The focus stays on the button, where the popover itself does not hear Escape; a dialog around it stays open.
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    event.stopPropagation()
    setOpen(false)
  }
  if (meaning === undefined && children === undefined) return null
  const whatIsIt = `What does ${of} mean?`
  const how = `How is ${of} computed?`
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={320}
      position="bottom-start"
      shadow="md"
      withinPortal
      trapFocus={false}
    >
      <Popover.Target>
        <button type="button" className={classes.button} onClick={() => setOpen(!isOpen)} onKeyDown={closeOnEscape}>
          {/* Not an aria-label: the name of the setting stays that of its field alone. */}
          <VisuallyHidden>{children === undefined ? whatIsIt : how}</VisuallyHidden>
          <IconHelpCircle size={14} stroke={1.7} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        {meaning !== undefined && (
          <>
            <p className={classes.heading}>{whatIsIt}</p>
            <p className={classes.text}>{meaning}</p>
          </>
        )}
        {children !== undefined && (
          <>
            <p className={classes.heading}>{how}</p>
            <p className={classes.text}>{children}</p>
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

const meanings = new Map(
  glossaryEntries(text).flatMap(({ names, meaning }) => names.map((name) => [name, plainWords(meaning)] as const)),
)

/** What the glossary says about a term, by any of its names; undefined where it has none of it. */
const meaningOf = (term: string): string | undefined => meanings.get(term.toLowerCase())
