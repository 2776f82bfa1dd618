import { MantineProvider } from '@mantine/core'
import { MutationCache, QueryClient, QueryClientProvider, focusManager, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, StrictMode, type ReactNode, useCallback, useEffect, useMemo, useReducer } from 'react'
import { RouterProvider } from 'react-router/dom'
import { getUser, login, logout, register, type SignedIn } from '@tradewright/contract/auth'
import { getFormats } from '@tradewright/contract/formats'
import { signInWithFactor } from '@tradewright/contract/second-factor'
import { isWorthRetrying, onChangeElsewhere, forgetToken, keepToken, call, onSessionEnded } from '../lib/http.ts'
import { formOutcomes } from '../ui/form/unsaved-work.ts'
import { mantineVariables, theme, themeChoice } from '../ui/theme/theme.ts'
import { createRouter } from './router.tsx'
import { CallError, UNREACHABLE } from '../lib/call-error.ts'
import { dropAllAnswers } from '../lib/browser-storage.ts'
import { dropLeftOut } from '../lib/readable-part.ts'
import { setPlaces } from '../lib/format.ts'
import { dropPrivateQueries } from '../lib/public-queries.ts'
import { newSession, nextSession, SessionContext, type SessionActions } from './session.ts'

/** The whole app at the browser's address, with a query cache and a router of its own. */
export function newApp(router = createRouter()): ReactElement {
  const queries = new QueryClient({
    mutationCache: new MutationCache(formOutcomes),
    defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 10_000 } },
  })
  keepDataFresh(queries)
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={mantineVariables}
        colorSchemeManager={themeChoice}
        defaultColorScheme="auto"
      >
        <QueryClientProvider client={queries}>
          <SessionProvider>
            <RouterProvider router={router} />
          </SessionProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  )
}

/** A deletion of several rows is several calls. */
const PAUSE_MS = 200

/** What another tab changed is asked for again; after a change on another device, when the window has the focus again. */
function keepDataFresh(queries: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  onChangeElsewhere(() => {
    clearTimeout(timer)
    timer = setTimeout(() => void queries.invalidateQueries(), PAUSE_MS)
  })
  // The library by itself looks at the visibility alone: a window beside another one is always visible.
  focusManager.setEventListener((handleFocus) => {
    const listener = () => handleFocus()
    window.addEventListener('visibilitychange', listener)
    window.addEventListener('focus', listener)
    return () => {
      window.removeEventListener('visibilitychange', listener)
      window.removeEventListener('focus', listener)
    }
  })
}

/** Before the first screen is drawn. Where they cannot be read, the last ones of this browser stay. */
const loadFormats = () =>
  call(getFormats).then(
    ({ formats }) => setPlaces(formats),
    () => undefined,
  )

function SessionProvider({ children }: { children: ReactNode }) {
  const [session, dispatch] = useReducer(nextSession, newSession)
  const queries = useQueryClient()

  const findUser = useCallback(async () => {
    try {
      const [user] = await Promise.all([call(getUser), loadFormats()])
      dispatch({ type: 'user found', user })
    } catch (error) {
      const notice = error instanceof CallError && error.isUnreachable ? UNREACHABLE : null
      dispatch({ type: 'no user found', isOnline: navigator.onLine, notice })
    }
  }, [])

  useEffect(() => void findUser(), [findUser])

  useEffect(
    () =>
      onSessionEnded(() => {
        dropPrivateQueries(queries)
        dropAllAnswers()
        dropLeftOut()
        dispatch({ type: 'session ended' })
      }),
    [queries],
  )

  const askAgain = useCallback(() => {
    dispatch({ type: 'asked again' })
    void findUser()
  }, [findUser])

  useEffect(() => {
    if (session.state !== 'offline') return undefined
    window.addEventListener('online', askAgain)
    return () => window.removeEventListener('online', askAgain)
  }, [session.state, askAgain])

  const actions = useMemo((): SessionActions => {
    const enter = async ({ id, username, email, token }: SignedIn) => {
      // Nothing that another user left in this tab may show.
      queries.clear()
      dropAllAnswers()
      dropLeftOut()
      keepToken(token)
      await loadFormats()
      dispatch({ type: 'user found', user: { id, username, email } })
    }
    const leave = () => {
      forgetToken()
      queries.clear()
      dropAllAnswers()
      dropLeftOut()
      dispatch({ type: 'signed out' })
    }
    return {
      signIn: async ({ username, password }) => enter(await call(login, { body: { email: username, password } })),
      signInWithFactor: async (proof) => {
        const signedIn = await call(signInWithFactor, { body: proof })
        await enter(signedIn)
        return signedIn.return_path
      },
      register: async ({ username, password }, invite) =>
        enter(await call(register, { body: { username, email: username, password, ...(invite ? { invite } : {}) } })),
      signOut: async () => {
        try {
          await call(logout)
        } catch (error) {
          // oxlint-disable-next-line no-console -- the specification asks for a log line and nothing more
          console.error('Logout failed', error)
          return false
        }
        leave()
        return true
      },
      leave,
      askAgain,
    }
  }, [queries, askAgain])

  const value = useMemo(() => ({ session, ...actions }), [session, actions])
  return <SessionContext value={value}>{children}</SessionContext>
}
