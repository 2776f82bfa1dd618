/** On a form whose fields are kept elsewhere, or are no work that could be lost, such as filters. */
export const LEAVE_FREELY = { 'data-leave': 'freely' } as const

/** Forms in which something was typed since they were last sent. */
const typed = new Set<HTMLFormElement>()

/** Whether a form on the page, or inside `within`, holds something that leaving would lose. */
export function hasUnsavedWork(within: Node = document): boolean {
  for (const form of typed) if (!form.isConnected) typed.delete(form)
  return [...typed].some((form) => within.contains(form))
}

export const forgetUnsavedWork = (): void => typed.clear()

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
