import { type RefCallback, useCallback, useEffect, useRef } from 'react'

/** On a form whose fields are kept elsewhere, or are no work that could be lost, such as filters. */
export const LEAVE_FREELY = { 'data-leave': 'freely' } as const

/** Forms in which something was typed since they were last sent. */
const typed = new Set<HTMLFormElement>()

/** Those of them that are not rendered just now, while their screen keeps their values. */
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

/** For a form on a tab whose values stay while another tab is in sight: what was typed in it still counts. */
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

/** Watches every form of the page. What is sent counts as saved: a refusal is told, and the next key counts again. */
export function watchForms(): () => void {
  const onInput = ({ target }: Event) => {
    const form = target instanceof Element ? target.closest('form') : null
    if (form && form.dataset['leave'] !== LEAVE_FREELY['data-leave']) typed.add(form)
  }
  const onSubmit = ({ target }: Event) => {
    if (target instanceof HTMLFormElement) typed.delete(target)
  }
  const onUnload = (event: BeforeUnloadEvent) => {
    if (hasUnsavedWork()) event.preventDefault()
  }
  document.addEventListener('input', onInput)
  document.addEventListener('submit', onSubmit, true)
  window.addEventListener('beforeunload', onUnload)
  return () => {
    document.removeEventListener('input', onInput)
    document.removeEventListener('submit', onSubmit, true)
    window.removeEventListener('beforeunload', onUnload)
  }
}
