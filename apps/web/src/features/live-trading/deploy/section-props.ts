import type { Chosen, EditDraft } from './draft.ts'

/** What every section of the form gets. */
export interface SectionProps {
  chosen: Chosen
  edit: EditDraft
}
