import { Card } from '../../ui/card.tsx'
import { Tag } from '../../ui/tag.tsx'
import { SECTIONS } from './sections.ts'

interface PlaceholderSectionProps {
  id: (typeof SECTIONS)[number]['id']
  mark: 'Coming soon' | 'Not available yet'
  text: string
}

/** A section that is listed but not there yet, and says so. */
export function PlaceholderSection({ id, mark, text }: PlaceholderSectionProps) {
  const title = SECTIONS.find((section) => section.id === id)?.title
  return <Card id={id} title={title} hint={text} actions={<Tag>{mark}</Tag>} />
}
