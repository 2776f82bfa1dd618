import type { ReactNode } from 'react'
import { Card } from '../../../ui/layout/card.tsx'
import classes from './deploy-form.module.css'

interface FormSectionProps {
  title: string
  hint?: string
  children: ReactNode
}

/** One numbered step of the form. */
export function FormSection({ title, hint, children }: FormSectionProps) {
  return (
    <div className={classes.section}>
      <Card title={title} hint={hint}>
        <div className={classes.fields}>{children}</div>
      </Card>
    </div>
  )
}
