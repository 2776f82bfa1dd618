import { deleteUser } from '@tradewright/contract/user-data'
import { useMutation } from '@tanstack/react-query'
import { useSession } from '../../../app/session-context.ts'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { call } from '../../../lib/http.ts'
import { showToast } from '../../../ui/feedback/toast-store.ts'
import type { SettingsMessage } from '../messages.ts'

export function useDeleteUser(tell: (message: SettingsMessage) => void) {
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
