/** When a decision made at the close of a bar is filled. `same_close` is optimistic: the close was needed to decide. */
export type FillTiming = 'next_open' | 'next_close' | 'same_close'

export const fillTimings: readonly FillTiming[] = ['next_open', 'next_close', 'same_close']
