/** The form on show whose button runs what is set up; null where there is none, or it runs already. */
export function runForm(): HTMLFormElement | null {
  const forms = [...document.querySelectorAll<HTMLFormElement>('main form[data-runs]')]
  const form = forms.find((one) => one.checkVisibility())
  return form?.querySelector('[type=submit]:not(:disabled)') ? form : null
}
