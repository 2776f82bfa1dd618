import { useState } from 'react'

/** The subject of a dialog stays until the next one opens, so that it does not change while it closes. */
export function useDialog<Subject>() {
  const [state, setState] = useState<{ isOpen: boolean; subject: Subject | null; times: number }>({
    isOpen: false,
    subject: null,
    times: 0,
  })
  return {
    ...state,
    open: (subject: Subject) => setState(({ times }) => ({ isOpen: true, subject, times: times + 1 })),
    close: () => setState((before) => ({ ...before, isOpen: false })),
  }
}
