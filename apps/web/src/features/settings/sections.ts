/** The specification's sections in its order, with our own after them; the ids are the anchors of the list at the left. */
export const SECTIONS = [
  { id: 'alpaca', title: 'Alpaca Integration' },
  { id: 'openai', title: 'OpenAI Integration' },
  { id: 'data-stores', title: 'Data Store Configuration' },
  { id: 'authentication', title: 'Authentication & Security' },
  { id: 'notifications', title: 'Notifications' },
  { id: 'alerts', title: 'Alerts' },
  { id: 'second-factor', title: 'Second Factor' },
  { id: 'sessions', title: 'Sessions' },
  { id: 'security-log', title: 'Security Log' },
  { id: 'api-keys', title: 'API Keys' },
  { id: 'shared-results', title: 'Shared Results' },
  { id: 'formats', title: 'Formats & Time Zone' },
  { id: 'your-data', title: 'Your Data' },
  { id: 'health', title: 'System Health' },
] as const

export type SectionId = (typeof SECTIONS)[number]['id']

export const titleOf = (id: SectionId): string => SECTIONS.find((section) => section.id === id)!.title
