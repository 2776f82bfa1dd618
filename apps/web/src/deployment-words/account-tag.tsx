import { Tag } from '../ui/feedback/tag.tsx'

/** Real money is the dangerous state, paper the calm one. */
export function AccountTag({ isPaper }: { isPaper: boolean }) {
  return isPaper ? <Tag tone="accent">Paper</Tag> : <Tag tone="danger">Live money</Tag>
}
