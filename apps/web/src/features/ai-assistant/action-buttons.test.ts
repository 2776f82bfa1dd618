import { describe, expect, it } from 'vitest'
import { messageParts, partsSoFar } from './chat-state.ts'

describe('a message', () => {
  it('has a button for each tag, and none of the tags [AI-011]', () => {
    const content =
      'Try this:\n[ACTION:{"label":"Run [it]","type":"run_backtest","n":1}]\n<ACTION>{"label":"Other"}</ACTION>'
    expect(messageParts(content)).toEqual({
      text: 'Try this:',
      buttons: [
        { label: 'Run [it]', action: { label: 'Run [it]', type: 'run_backtest', n: 1 } },
        { label: 'Other', action: { label: 'Other' } },
      ],
    })
  })

  it.each([
    '[ACTION:{"label":"x"',
    '[ACTION:{label: x}]',
    '[ACTION:{"type":"run"}]',
    '[ACTION:{"label":"  "}]',
    '[ACTION:{"label":7}]',
    '[ACTION]"run"[/ACTION]',
  ])('shows a malformed tag as text, and gives it no button: %s', (content) => {
    expect(messageParts(content)).toEqual({ text: content, buttons: [] })
  })

  it('that is still coming hides a tag until it is complete', () => {
    expect(partsSoFar('Wait [ACTION:{"label":"Ru').text).toBe('Wait')
    expect(partsSoFar('Wait [ACTION:{"label":"Run"}]').buttons).toHaveLength(1)
  })
})
