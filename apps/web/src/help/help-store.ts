/** A place of the guide: a page, and a section of it. */
export interface HelpPlace {
  /** `backtest-studio`, `glossary`, or `../method`: a page of the reference. */
  readonly page: string
  /** Empty: the page's beginning. */
  readonly anchor: string
}

let place: HelpPlace | null = null
/** Where the focus was: the panel is gone with its last place, and cannot give it back itself. */
let opener: Element | null = null
const listeners = new Set<() => void>()

/** What the help panel shows; null while it is closed. */
export const helpStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  snapshot: () => place,
}

export const openHelp = (page: string, anchor = ''): void => change({ page, anchor })
export const closeHelp = (): void => change(null)

function change(next: HelpPlace | null): void {
  if (place === null && next !== null) opener = document.activeElement
  place = next
  for (const listener of listeners) listener()
  if (next === null) requestAnimationFrame(() => opener instanceof HTMLElement && opener.focus())
}
