import { useCallback } from 'react'

/** Once the errors are drawn, the first field that has one gets the focus. */
export function useFirstErrorFocus(): (formId: string) => void {
  return useCallback((formId) => {
    requestAnimationFrame(() => {
      const form = document.getElementById(formId)
      const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
      field?.focus({ preventScroll: true })
      // In the middle: the dialog's own title would cover what scrolls to its upper edge.
      field?.scrollIntoView({ block: 'center' })
    })
  }, [])
}
