import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

interface EmptyStateProps {
  icon: Icon
  title: string
  /** One helpful sentence. */
  text: ReactNode
  /** One action; a second only to reset the filters that emptied the list. */
  action?: ReactNode
  titleAs?: 'h1' | 'h2' | 'p'
}

export function EmptyState({ icon: Glyph, title, text, action, titleAs: Title = 'h2' }: EmptyStateProps) {
  return (
    <div className={classes.empty} data-whole-page={Title === 'h1'}>
      <span className={classes.tile} aria-hidden>
        <Glyph size={20} stroke={1.6} />
      </span>
      <Title className={classes.title}>{title}</Title>
      <p className={classes.text}>{text}</p>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}
