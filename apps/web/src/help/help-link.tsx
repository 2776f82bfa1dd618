import type { ReactNode } from 'react'
import classes from './help-link.module.css'
import { openHelp } from './help-store.ts'

interface HelpLinkProps {
  page: string
  anchor?: string
  children: ReactNode
}

/** Opens the guide at a place. A button: it leads to no other address. */
export function HelpLink({ page, anchor = '', children }: HelpLinkProps) {
  return (
    <button type="button" className={classes.link} onClick={() => openHelp(page, anchor)}>
      {children}
    </button>
  )
}

const HELP_ADDRESS = /^\/help\/((?:\.\.\/)?[\w-]+)(?:#([\w-]*))?$/

/** For Markdown: a link such as `/help/faq#how-do-i-save` opens the guide there. */
export function drawHelpLink(href: string, words: ReactNode): ReactNode | undefined {
  const [, page, anchor] = HELP_ADDRESS.exec(href) ?? []
  if (page === undefined) return undefined
  return (
    <HelpLink page={page} anchor={anchor ?? ''}>
      {words}
    </HelpLink>
  )
}
