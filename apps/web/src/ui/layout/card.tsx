import { type ReactNode, useId } from 'react'
import classes from './card.module.css'

interface CardProps {
  title?: ReactNode
  hint?: ReactNode
  actions?: ReactNode
  /** Cards do not nest; parts inside one are split by hairlines with `CardSection`. */
  children?: ReactNode
  id?: string
}

/** With a title it is a section that assistive technology can list and jump to. */
export function Card({ title, hint, actions, children, id }: CardProps) {
  const heading = useId()
  const Element = title ? 'section' : 'div'
  return (
    <Element className={classes.card} id={id} {...(title ? { 'aria-labelledby': heading } : {})}>
      {title && (
        <div className={classes.head}>
          <div className={classes.words}>
            <h2 className={classes.title} id={heading}>
              {title}
            </h2>
            {hint && <p className={classes.hint}>{hint}</p>}
          </div>
          {actions && <div className={classes.actions}>{actions}</div>}
        </div>
      )}
      {children}
    </Element>
  )
}

export function CardSection({ children }: { children: ReactNode }) {
  return <div className={classes.section}>{children}</div>
}
