import { expect, it } from 'vitest'
import { chatAsMarkdown } from './ai-assistant-screen.tsx'

it('is exported with speakers, times and offers', () => {
  const message = (role: 'user' | 'assistant' | 'error', content: string, detail?: string) => ({
    id: role,
    role,
    content,
    timestamp: '2026-11-14T12:00:00.000Z',
    ...(detail === undefined ? {} : { detail }),
  })
  const text = chatAsMarkdown([
    message('user', 'Best?'),
    message('assistant', '**Mine**. [ACTION:{"label":"Run it"}]'),
    message('error', 'Sorry.', 'No quota.'),
  ])
  expect(text).toBe(
    '# Chat with the AI Assistant of Tradewright\n\n## You, 2026-11-14T12:00:00.000Z\n\nBest?\n\n' +
      '## Assistant, 2026-11-14T12:00:00.000Z\n\n**Mine**.\n\n- (button) Run it\n\n' +
      '## Error, 2026-11-14T12:00:00.000Z\n\nSorry.\n\nNo quota.\n',
  )
})
