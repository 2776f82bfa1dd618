import { Button } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import classes from './card.module.css'

interface CardProps {
  title?: ReactNode
  hint?: ReactNode
  actions?: ReactNode
  /** Cards do not nest; parts inside one are split by hairlines with `CardSection`. */
  children?: ReactNode
  id?: string
  /** In a narrow panel of results only its head is shown until it is opened. */
  folds?: boolean
}

/** With a title it is a section that assistive technology can list and jump to. */
export function Card({ title, hint, actions, children, id, folds = false }: CardProps) {
  const heading = useId()
  const body = useId()
  const [isOpen, setOpen] = useState(false)
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
          {folds && <FoldButton isOpen={isOpen} setOpen={setOpen} heading={heading} body={body} />}
        </div>
      )}
      {folds ? (
        <div id={body} className={classes.folded} data-open={isOpen}>
          {children}
        </div>
      ) : (
        children
      )}
    </Element>
  )
}

interface FoldButtonProps {
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  heading: string
  body: string
}

function FoldButton({ isOpen, setOpen, heading, body }: FoldButtonProps) {
  const button = useId()
  return (
    <Button
      variant="default"
      className={classes.fold ?? ''}
      id={button}
      aria-labelledby={`${button} ${heading}`}
      aria-expanded={isOpen}
      aria-controls={body}
      onClick={() => setOpen(!isOpen)}
    >
      {isOpen ? 'Hide' : 'Show'}
    </Button>
  )
}

export function CardSection({ children }: { children: ReactNode }) {
  return <div className={classes.section}>{children}</div>
}
