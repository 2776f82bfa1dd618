/** A dialog's head is a header element, which counts as a second banner of the page unless it says otherwise. */
export const NO_LANDMARK = { role: 'presentation' } as const
