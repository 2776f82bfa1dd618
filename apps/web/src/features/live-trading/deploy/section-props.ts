import type { Chosen, EditDraft } from './draft.ts'

export interface SectionProps {
  chosen: Chosen
  edit: EditDraft
}
