import { ActionObject } from '@tradewright/contract/ai-assistant'
import { actionTagsIn, unfinishedTagAt } from '@tradewright/core/action-tags'
import { parsed } from '../../lib/http.ts'

interface ActionButton {
  label: string
  /** Sent as it is when the button is pressed. */
  action: ActionObject
}

export interface MessageParts {
  /** Markdown without the tags that became buttons. */
  text: string
  buttons: readonly ActionButton[]
}

/** A tag that is no object with a label is not a button: it stays in the text. */
export function messageParts(content: string): MessageParts {
  const buttons: ActionButton[] = []
  let text = ''
  let from = 0
  for (const tag of actionTagsIn(content)) {
    const action = ActionObject.safeParse(parsed(tag.json))
    const label = action.success ? action.data.label?.trim() : undefined
    if (!action.success || !label) continue
    buttons.push({ label, action: action.data })
    text += content.slice(from, tag.start)
    from = tag.end
  }
  return { text: (text + content.slice(from)).trim(), buttons }
}

/** The parts of a text that is still coming: a tag is not shown before it is complete. */
export const partsSoFar = (content: string): MessageParts => messageParts(content.slice(0, unfinishedTagAt(content)))
