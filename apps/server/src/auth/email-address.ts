/** Whether a compared name (`usernameKey`) has the shape of an e-mail address, so that mail could prove it. */
export const isEmailAddress = (key: string): boolean => /^[^@\s]+@[^@\s]+$/.test(key)
