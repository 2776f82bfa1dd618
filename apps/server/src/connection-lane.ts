import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Work that has connections to the database of its own, which calls of users cannot take: running deployments, a press of a
 * stop button, and the question whether the program is well.
 */
export type ConnectionLane = 'trading' | 'stop' | 'health'

const current = new AsyncLocalStorage<{ readonly lane?: ConnectionLane; readonly userId?: number }>()

/** Everything that the work asks of the database goes over the connections of the lane, however deep below. */
export const inConnectionLane = <Result>(lane: ConnectionLane, work: () => Result): Result =>
  current.run({ ...current.getStore(), lane }, work)

/** Undefined for calls of users, and for their jobs. */
export const connectionLane = (): ConnectionLane | undefined => current.getStore()?.lane

/** What the work asks of others, however deep below, is asked for this user. */
export const onBehalfOf = <Result>(userId: number, work: () => Result): Result =>
  current.run({ ...current.getStore(), userId }, work)

/** Undefined for what the program does by itself, and for visitors. */
export const askingUser = (): number | undefined => current.getStore()?.userId
