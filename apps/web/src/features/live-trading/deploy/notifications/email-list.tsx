import { Button, TextInput } from '@mantine/core'
import { IconSend, IconX } from '@tabler/icons-react'
import { testNotification } from '@tradewright/contract/live-trading-watch'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../../lib/http.ts'
import { FieldError } from '../../../../ui/form/field-error.tsx'
import { IconButton } from '../../../../ui/form/buttons.tsx'
import { showToast } from '../../../../ui/feedback/toasts/toasts.tsx'
import { sentenceOf } from '../../messages.ts'
import classes from './email-list.module.css'
import { addedEmail } from '../form-rules.ts'

interface EmailListProps {
  emails: readonly string[]
  /** The server can send e-mail. */
  canTest: boolean
  onChange: (emails: string[]) => void
}

export function EmailList({ emails, canTest, onChange }: EmailListProps) {
  const test = useTestEmail()
  return (
    <div>
      <EmailField emails={emails} onChange={onChange} />
      <ul className={classes.emails} aria-label="Notification e-mails">
        {emails.map((email) => (
          <li key={email}>
            <span>{email}</span>
            {canTest && (
              <IconButton
                icon={IconSend}
                label={`Send a test e-mail to ${email}`}
                disabled={test.isPending}
                onClick={() => test.mutate(email)}
              />
            )}
            <IconButton
              icon={IconX}
              label={`Remove ${email}`}
              onClick={() => onChange(emails.filter((one) => one !== email))}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Enter adds the address instead of sending the form. */
function EmailField({ emails, onChange }: Pick<EmailListProps, 'emails' | 'onChange'>) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const add = () => {
    const next = addedEmail(emails, typed)
    if (!next) {
      setProblem(typed.trim() ? 'This address is in the list already.' : 'Please enter an e-mail address.')
      return
    }
    onChange(next)
    setTyped('')
    setProblem(null)
  }
  return (
    <div className={classes.field}>
      <TextInput
        label="Notification e-mail"
        type="email"
        autoComplete="email"
        description="Mails go only to addresses whose owner has confirmed them. A test e-mail to another one asks its owner."
        placeholder="name@example.com"
        value={typed}
        {...(problem ? { error: <FieldError text={problem} /> } : {})}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button variant="default" onClick={add}>
        Add
      </Button>
    </div>
  )
}

function useTestEmail() {
  return useMutation({
    mutationFn: (email: string) => call(testNotification, { body: { email } }),
    onSuccess: ({ message }) => showToast({ kind: 'success', text: message }),
    onError: (error) => showToast({ kind: 'error', text: 'The test e-mail was not sent.', detail: sentenceOf(error) }),
  })
}
