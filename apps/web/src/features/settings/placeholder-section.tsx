import { Tag } from '../../ui/feedback/tag.tsx'
import type { SectionId } from './sections.ts'
import { SettingsSection } from './settings-section.tsx'

interface PlaceholderSectionProps {
  id: SectionId
  mark: 'Coming soon' | 'Not available yet'
  text: string
}

/** A section that is listed but not there yet, and says so. */
export function PlaceholderSection({ id, mark, text }: PlaceholderSectionProps) {
  return <SettingsSection id={id} hint={text} actions={<Tag>{mark}</Tag>} />
}
