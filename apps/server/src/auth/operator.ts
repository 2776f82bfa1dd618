import type { OperatorStore } from '../observe/process-reports.ts'
import { usernameKey } from './username-key.ts'

/** Whether a user operates this instance. */
export type IsOperator = (userId: number) => Promise<boolean>

/** The id of the account that operates this instance, if there is one. */
export const operatorOf = (store: OperatorStore, username: string | undefined): Promise<number | undefined> =>
  username === undefined ? store.firstUser() : store.userNamed(usernameKey(username))

/** A user of the setting is found at every question: names change with accounts. */
const FIRST_MAX_AGE_MS = 60_000

/**
 * The account that the setting names, and without one the first that the instance had. When that one is deleted, there is
 * none until the setting names one: the next account may belong to a visitor.
 */
export function operatorCheck(store: OperatorStore, username: string | undefined): IsOperator {
  if (username !== undefined) return async (userId) => (await operatorOf(store, username)) === userId
  let first: { readonly id: number; readonly at: number } | undefined
  return async (userId) => {
    if (!first || performance.now() - first.at > FIRST_MAX_AGE_MS) {
      const id = await operatorOf(store, username)
      first = id === undefined ? undefined : { id, at: performance.now() }
    }
    return first?.id === userId
  }
}
