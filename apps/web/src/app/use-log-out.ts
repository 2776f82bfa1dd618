import { useNavigate } from 'react-router'
import { showToast } from '../ui/feedback/toasts/toast-store.ts'
import { useSession } from './session-context.ts'

export function useLogOut(): () => void {
  const { signOut } = useSession()
  const navigate = useNavigate()
  return () =>
    void signOut().then((isOut) => {
      if (isOut) return navigate('/login')
      showToast({ kind: 'error', text: 'You are still signed in', detail: 'Could not log out. Try again.' })
    })
}
