import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { CardSkeleton } from '../../ui/feedback/skeletons.tsx'
import { type SectionId, titleOf } from './sections.ts'
import classes from './settings-screen.module.css'

interface SettingsSectionProps {
  id: SectionId
  hint: string
  actions?: ReactNode
  children?: ReactNode
}

/** The card of a section, under the title that the list at the left gives it. */
export function SettingsSection({ id, ...card }: SettingsSectionProps) {
  return <Card id={id} title={titleOf(id)} {...card} />
}

interface LoadedSectionProps<Data> extends Omit<SettingsSectionProps, 'children'> {
  loading: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'refetch'>
  /** Names what could not be loaded, as a sentence. */
  failure: string
  /** Stands above what is loaded, and is there without it. */
  lead?: ReactNode
  children: (data: Data) => ReactNode
}

/** A section that shows what the server keeps; a failure can be tried again. */
export function LoadedSection<Data>({ loading, failure, lead, children, ...section }: LoadedSectionProps<Data>) {
  const { data, error, isPending, refetch } = loading
  return (
    <SettingsSection {...section}>
      {lead}
      {isPending && <CardSkeleton rows={2} />}
      {error && (
        <div className={classes.inset}>
          <Banner
            kind="error"
            text={failure}
            detail={error.message}
            action={
              <Button variant="default" onClick={() => void refetch()}>
                Try again
              </Button>
            }
          />
        </div>
      )}
      {data !== undefined && children(data)}
    </SettingsSection>
  )
}
