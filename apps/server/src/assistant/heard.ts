import { unfinishedTagAt } from '@tradewright/core/action-tags'
import { withHonestLabels } from './action-tags.ts'
import type { AnyAction } from './action.ts'
import type { Progress } from './model-answer.ts'

/** What the asker has been shown of an answer, in case that it breaks off: the text since something was looked up. */
export class Heard {
  #text = ''

  /** The same progress, listened to. */
  listen({ onText, onStep }: Progress): Progress {
    return {
      onText:
        onText &&
        ((text) => {
          this.#text += text
          onText(text)
        }),
      onStep: (note) => {
        this.#text = ''
        onStep?.(note)
      },
    }
  }

  /** Half an answer may hold a button, whose words are ours all the same, and half a button, which is none. */
  unfinished(actions: readonly AnyAction[]): string {
    return withHonestLabels(this.#text.slice(0, unfinishedTagAt(this.#text)).trim(), actions)
  }
}
