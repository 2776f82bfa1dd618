import { useState } from 'react'
import { deleteUser } from '@tradewright/contract/user-data'
import { useMutation } from '@tanstack/react-query'
import { useUser, useSession } from '../../../app/session.ts'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import { SecretField } from '../../../ui/form/fields/text-fields.tsx'
import type { SettingsMessage } from '../messages.ts'
import { useAuthMethods } from '../queries.ts'
import classes from '../settings-screen.module.css'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { call } from '../../../lib/http.ts'
import { showToast } from '../../../ui/feedback/toasts/toasts.tsx'

interface DeleteUserModalProps {
  opened: boolean
  tell: (message: SettingsMessage) => void
  onClose: () => void
}

export function DeleteUserModal({ opened, tell, onClose }: DeleteUserModalProps) {
  const { username } = useUser()
  const asksPassword = useAuthMethods().data?.password_enabled ?? true
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const deletion = useDeleteUser(tell)
  const close = () => {
    setTyped('')
    setPassword('')
    onClose()
  }
  return (
    <ConfirmModal
      opened={opened}
      title="Delete your account?"
      text="Your strategies, backtests, brokerage keys, paper account, conversations and collected data are permanently removed. This cannot be undone; export your data first if you want to keep it."
      confirmLabel="Delete account permanently"
      busy={deletion.isPending}
      isConfirmable={typed.trim() === username && (password !== '' || !asksPassword)}
      onCancel={close}
      onConfirm={() => deletion.mutate({ username: typed, password }, { onSettled: close })}
    >
      <div className={classes.typed}>
        <TextField label={`Type your username, ${username}, to confirm`} value={typed} onChange={setTyped} />
        {asksPassword && (
          <SecretField label="Your password" autoComplete="current-password" value={password} onChange={setPassword} />
        )}
      </div>
    </ConfirmModal>
  )
}

function useDeleteUser(tell: (message: SettingsMessage) => void) {
  const { leave } = useSession()
  return useMutation({
    mutationFn: (body: { username: string; password: string }) => call(deleteUser, { body }),
    onSuccess: () => {
      leave()
      showToast({
        kind: 'success',
        text: 'Your account was deleted',
        detail: 'Everything that belonged to it is gone.',
      })
    },
    onError: (error) =>
      tell({ kind: 'error', text: `Failed to delete your account: ${serverMessageOr(error, 'Unknown error')}` }),
  })
}
