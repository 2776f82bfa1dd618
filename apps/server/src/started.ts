/**
 * Marks a promise that is awaited later as handled, so that its rejection is not an unhandled one when something else
 * throws first. The failure still reaches every caller that awaits the promise; use it only where one does.
 */
export function started<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
