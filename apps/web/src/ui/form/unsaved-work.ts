import { type RefCallback, useCallback, useEffect, useRef } from 'react'

/** On a form whose fields are kept elsewhere, or are no work that could be lost, such as filters. */
export const LEAVE_FREELY = { 'data-leave': 'freely' } as const

/** Forms in which something was typed that is neither saved nor on its way. */
const typed = new Set<HTMLFormElement>()

/** Forms with unsaved work that are not rendered just now, while their screen keeps their values. */
const outOfSight = new Set<object>()

/** Whether a form on the page, or inside `within`, holds something that leaving would lose. */
export function hasUnsavedWork(within: Node = document): boolean {
  for (const form of typed) if (!form.isConnected) typed.delete(form)
  return (within === document && outOfSight.size > 0) || [...typed].some((form) => within.contains(form))
}

export function forgetUnsavedWork(): void {
  typed.clear()
  outOfSight.clear()
}

/** Counts the unsaved work of a form on a tab whose values stay while another tab is in sight. */
export function useWorkOutOfSight(): RefCallback<HTMLFormElement> {
  const work = useRef({})
  useEffect(() => {
    const { current } = work
    return () => void outOfSight.delete(current)
  }, [])
  return useCallback((form: HTMLFormElement) => {
    if (outOfSight.delete(work.current)) typed.add(form)
    return () => {
      if (typed.delete(form)) outOfSight.add(work.current)
    }
  }, [])
}

const ACTS = ['pointerdown', 'keydown'] as const

/** The form that was submitted by what the user did last. */
let submitted: HTMLFormElement | null = null
const onTheirWay = new WeakMap<object, HTMLFormElement>()

/**
 * For the cache of mutations. What a form has sent counts as saved until it is refused; a form that is submitted and sends
 * nothing, since it refuses itself, keeps what was typed in it as unsaved.
 */
export const formOutcomes = {
  onMutate(_variables: unknown, mutation: object) {
    if (submitted && typed.delete(submitted)) onTheirWay.set(mutation, submitted)
  },
  onError(_error: unknown, _variables: unknown, _context: unknown, mutation: object) {
    const form = onTheirWay.get(mutation)
    if (form?.isConnected) typed.add(form)
  },
}

/** Watches every form of the page. */
export function watchForms(): () => void {
  const onInput = ({ target }: Event) => {
    const form = target instanceof Element ? target.closest('form') : null
    if (form && form.dataset['leave'] !== LEAVE_FREELY['data-leave']) typed.add(form)
  }
  const onSubmit = ({ target }: Event) => {
    submitted = target instanceof HTMLFormElement ? target : null
  }
  const onAct = () => {
    submitted = null
  }
  const onUnload = (event: BeforeUnloadEvent) => {
    if (hasUnsavedWork()) event.preventDefault()
  }
  document.addEventListener('input', onInput)
  document.addEventListener('submit', onSubmit, true)
  for (const act of ACTS) document.addEventListener(act, onAct, true)
  window.addEventListener('beforeunload', onUnload)
  return () => {
    document.removeEventListener('input', onInput)
    document.removeEventListener('submit', onSubmit, true)
    for (const act of ACTS) document.removeEventListener(act, onAct, true)
    window.removeEventListener('beforeunload', onUnload)
  }
}
