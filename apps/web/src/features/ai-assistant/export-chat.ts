import { messageParts } from './action-buttons.ts'
import type { ShownMessage } from './chat-state.ts'

const SPEAKERS = { user: 'You', assistant: 'Assistant', error: 'Error', system: 'Note' } as const

export function chatAsMarkdown(messages: readonly ShownMessage[]): string {
  const parts = messages.map(({ role, timestamp, content, detail }) => {
    const { text, buttons } = role === 'assistant' ? messageParts(content) : { text: content, buttons: [] }
    const offers = buttons.map(({ label }) => `- (button) ${label}`).join('\n')
    return [`## ${SPEAKERS[role]}, ${timestamp}`, text, detail, offers].filter(Boolean).join('\n\n')
  })
  return `# Chat with the AI Assistant of Tradewright\n\n${parts.join('\n\n')}\n`
}
