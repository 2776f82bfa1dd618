import { expect, it } from 'vitest'
import { deleteUser, type DeleteUserDeps } from './delete-user.ts'

const user = { id: 7, username: 'Maria', email: 'maria' }
const farewell = {
  username: ' maria ',
  password: '',
  sessionId: 'a session',
  from: { address: '192.0.2.7', userAgent: '' },
}

/** A user of Google, who has no password to be asked for. Records what is done. */
function deps(deployments: readonly string[]) {
  const done: string[] = []
  const note = (what: string) => () => {
    done.push(what)
    return Promise.resolve()
  }
  const parts = {
    users: {
      find: () => Promise.resolve({ ...user, signIn: { passwordHash: null, isPasswordEnabled: false, google: null } }),
      remove: () => {
        done.push('rows')
        return Promise.resolve([])
      },
    },
    sessions: { endAllOf: note('sessions') },
    runningDeployments: () => Promise.resolve(deployments),
    files: { of: () => Promise.resolve(note('files')) },
    securityLog: { record: note('recorded') },
  }
  return { deps: parts as unknown as DeleteUserDeps, done }
}

it('keeps a user whose deployments trade, and names them', async () => {
  const { deps: trading, done } = deps(['Gold hedge', 'Core'])
  await expect(deleteUser(trading, user, farewell)).rejects.toThrow(
    'Stop these deployments before you delete your account: "Gold hedge", "Core".',
  )
  expect(done).toEqual([])
})

it('removes the files last: while the rows are there, they still have an owner', async () => {
  const { deps: free, done } = deps([])
  await deleteUser(free, user, farewell)
  expect(done).toEqual(['sessions', 'rows', 'files', 'recorded'])
})
