import { Tag } from '../../ui/feedback/tag.tsx'

/** Real money stands out by an outline. */
export function AccountTag({ isPaper }: { isPaper: boolean }) {
  return isPaper ? <Tag tone="accent">Paper</Tag> : <Tag tone="outline">Live money</Tag>
}
