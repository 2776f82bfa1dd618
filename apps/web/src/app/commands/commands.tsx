import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react'
import { showToast, undoNewest } from '../../ui/feedback/toasts/toasts.tsx'
import {
  openOverlay,
  type OpenScreen,
  typeAhead,
  useOverlay,
  hear,
  type Pending,
  type ShortcutDeed,
  runForm,
} from './shortcuts.ts'

const Palette = lazy<ComponentType<{ open: OpenScreen; onClose: () => void }>>(() =>
  import('./palette.tsx').then((file) => ({ default: file.Palette }), notLoaded),
)
const ShortcutSheet = lazy<ComponentType<{ onClose: () => void }>>(() =>
  import('./shortcut-sheet.tsx').then((file) => ({ default: file.ShortcutSheet }), notLoaded),
)

/** A failed import would otherwise take the whole page with it. */
function notLoaded() {
  openOverlay(null)
  showToast({ kind: 'error', text: 'This could not be loaded', detail: 'Check the connection and reload the page.' })
  return { default: () => null }
}

/** The palette, the sheet of shortcuts and the keys, for signed-in users on any screen. */
export function Commands({ open }: { open: OpenScreen }) {
  const overlay = useOverlay()
  useShortcuts(open)
  useEffect(() => () => openOverlay(null), [])
  return (
    <Suspense fallback={null}>
      {overlay === 'palette' && <Palette open={open} onClose={() => openOverlay(null)} />}
      {overlay === 'shortcuts' && <ShortcutSheet onClose={() => openOverlay(null)} />}
    </Suspense>
  )
}

function useShortcuts(open: OpenScreen): void {
  const overlay = useOverlay()
  const pending = useRef<Pending | null>(null)
  useEffect(() => {
    const perform = (deed: ShortcutDeed): boolean => {
      if (deed === 'palette' || deed === 'shortcuts') openOverlay(overlay === deed ? null : deed)
      // The help button hears its key itself, for visitors too.
      else if (deed === 'help') return false
      else if (deed === 'undo') return undoNewest()
      else if (deed === 'run') return submit(runForm())
      else if (deed === 'search') return focus(document.querySelector<HTMLElement>('main input[type=search]'))
      else open(deed.slice('open '.length))
      return true
    }
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      // A dialog has the keyboard for itself; the palette and the sheet close by the keys that opened them.
      const isBehindDialog = document.querySelector('[aria-modal=true]') !== null
      const isWriting = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (overlay !== null && !isBehindDialog && isWriting) {
        event.preventDefault()
        if (overlay === 'palette') typeAhead(event.key)
        return
      }
      const heard = hear(
        {
          key: event.key,
          hasMod: event.ctrlKey || event.metaKey,
          hasOther: event.altKey || (event.shiftKey && event.key.length > 1),
          isTyping: isTyping(event.target),
          at: event.timeStamp,
        },
        pending.current,
      )
      pending.current = isBehindDialog ? null : heard.pending
      if (!heard.deed || (isBehindDialog && heard.deed !== overlay)) return
      if (perform(heard.deed)) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [open, overlay])
}

function submit(form: HTMLFormElement | null): boolean {
  form?.requestSubmit()
  return form !== null
}

function focus(field: HTMLElement | null): boolean {
  field?.focus()
  return field !== null
}

const NOT_TYPED = new Set(['checkbox', 'radio', 'button', 'submit', 'range', 'file'])

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !NOT_TYPED.has(target.type)
  return target.isContentEditable || target.matches('textarea, select')
}
