import type { ReactNode } from 'react'
import type { ScreenPath } from '@tradewright/contract/screens'
import classes from './help-link.module.css'

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

/** A place of the guide: a page, and a section of it. */
export interface HelpPlace {
  /** `backtest-studio`, `glossary`, or `../method`: a page of the reference. */
  readonly page: string
  /** Empty: the page's beginning. */
  readonly anchor: string
}

let place: HelpPlace | null = null
/** Where the focus was: the panel is gone with its last place, and cannot give it back itself. */
let opener: Element | null = null
const listeners = new Set<() => void>()

/** What the help panel shows; null while it is closed. */
export const helpStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  snapshot: () => place,
}

export const openHelp = (page: string, anchor = ''): void => change({ page, anchor })
export const closeHelp = (): void => change(null)

function change(next: HelpPlace | null): void {
  if (place === null && next !== null) opener = document.activeElement
  place = next
  for (const listener of listeners) listener()
  if (next === null) requestAnimationFrame(() => opener instanceof HTMLElement && opener.focus())
}

const PAGES: Partial<Record<ScreenPath, string>> = {
  '/': 'home',
  '/strategies': 'strategies',
  '/backtest': 'backtest-studio',
  '/live-trading': 'live-trading',
  '/data-collector': 'data-collector',
  '/optimizer': 'optimizer',
  '/ai-assistant': 'assistant',
  '/portfolio-performance': 'portfolio',
  '/proposals': 'agents',
  '/settings': 'settings',
}

/** The page of the guide about the screen at this address; where there is none, how to start. */
export function pageOfScreen(pathname: string): string {
  const [, first = ''] = pathname.split('/')
  return new Map(Object.entries(PAGES)).get(`/${first}`) ?? 'getting-started'
}
