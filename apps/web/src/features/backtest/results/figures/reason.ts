import type { StudioResult } from '../../answer/studio-result.ts'

/** Why a figure is not there, as a sentence; null where the server does not say. */
export function reasonOf({ figure_notes }: Pick<StudioResult, 'figure_notes'>, path: string): string | null {
  const note = figure_notes[path]
  return note ? `Not available because ${note}` : null
}
