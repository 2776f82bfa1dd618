import { unfinishedTagAt } from '@tradewright/core/action-tags'
import { withHonestLabels } from './action-tags.ts'
import type { AnyAction } from './action.ts'
import type { Progress } from './model-answer.ts'

/** The text of an answer streamed so far, in case that it breaks off: only that since the last tool call. */
export class StreamedText {
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

  /** Cuts off a half-streamed button; labels of whole ones are made from their input, as in a finished answer. */
  unfinished(actions: readonly AnyAction[]): string {
    return withHonestLabels(this.#text.slice(0, unfinishedTagAt(this.#text)).trim(), actions)
  }
}
