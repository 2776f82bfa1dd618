/** The page's sections, in the specification's order; the ids are the anchors of the list at the left. */
export const SECTIONS = [
  { id: 'alpaca', title: 'Alpaca Integration' },
  { id: 'openai', title: 'OpenAI Integration' },
  { id: 'data-stores', title: 'Data Store Configuration' },
  { id: 'authentication', title: 'Authentication & Security' },
  { id: 'notifications', title: 'Notifications' },
] as const
