import { useEffect, useState } from 'react'
import { dropDraft, keepDraft, readDraft } from '../lib/browser-storage.ts'
import { useUser } from './session.ts'

interface KeptForm<Form extends object | string> {
  /** The draft's name; null where the form is not kept, such as one that edits something saved. */
  name: string | null
  /** Null for a draft that this form cannot show: another version may have written it. */
  checked: (draft: unknown) => Form | null
  fresh: () => Form
  /** The form is kept before it is changed, where its address brought something that a reload would not. */
  isKeptAtOnce?: boolean
}

/** The values of a form, kept per user over screens, reload and sign-in from its first change until it is sent. */
export function useKeptForm<Form extends object | string>(kept: KeptForm<Form>) {
  const { name, checked, fresh, isKeptAtOnce = false } = kept
  const user = useUser()
  const [draft] = useState(() => (name === null ? null : checked(readDraft(name, user.id))))
  const [form, setForm] = useState<Form>(() => draft ?? fresh())
  const [isKept, setKept] = useState(draft !== null || isKeptAtOnce)
  useEffect(() => {
    if (isKept && name !== null) keepDraft(name, user.id, form)
  }, [form, isKept, name, user.id])
  return {
    form,
    /** Whether there is a draft of it. */
    isKept: isKept && name !== null,
    change: (next: (before: Form) => Form) => {
      setKept(true)
      setForm(next)
    },
    /** A new form, without a draft: what was typed was sent, or is not wanted. */
    startOver: () => {
      setKept(false)
      if (name !== null) dropDraft(name, user.id)
      setForm(fresh())
    },
  }
}
