import type { ReactNode } from 'react'
import { IconMapQuestion } from '@tabler/icons-react'
import classes from './page.module.css'
import { EmptyState } from '../feedback/empty-state.tsx'
import { LinkButton } from '../form/buttons.tsx'

interface PageProps {
  /** For the browser's tab: `<title> · Tradewright`. */
  documentTitle: string
  /** 1240 px for pages, 1680 px for work surfaces. */
  width?: 'page' | 'work'
  children: ReactNode
}

export function Page({ documentTitle, width = 'page', children }: PageProps) {
  return (
    <div className={classes.page} data-width={width}>
      <DocumentTitle text={documentTitle} />
      {children}
    </div>
  )
}

export function DocumentTitle({ text }: { text: string }) {
  return <title>{`${text} · Tradewright`}</title>
}

interface PageHeaderProps {
  title: string
  subtitle?: string
  /** The primary action or the page's context, at the right. */
  aside?: ReactNode
}

/** The page's one h1. */
export function PageHeader({ title, subtitle, aside }: PageHeaderProps) {
  return (
    <header className={classes.header}>
      <div>
        <h1 className={classes.title}>{title}</h1>
        {subtitle && <p className={classes.subtitle}>{subtitle}</p>}
      </div>
      {aside && <div className={classes.aside}>{aside}</div>}
    </header>
  )
}

export function NotFound() {
  return (
    <>
      <DocumentTitle text="Page not found" />
      <EmptyState
        icon={IconMapQuestion}
        titleAs="h1"
        title="Page not found"
        text="There is nothing at this address. The address may be mistyped, or the page may have been removed."
        action={
          <LinkButton to="/" primary>
            Go to Home
          </LinkButton>
        }
      />
    </>
  )
}
