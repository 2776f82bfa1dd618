/**
 * Whether a compared name (`usernameKey`) has the shape of an e-mail address, so that mail could prove it. Characters of
 * the syntax of mail headers are refused: `a<b@c>` is sent to b@c, and would be counted as another address.
 */
export const isEmailAddress = (key: string): boolean => /^[^@\s<>()[\]\\,;:"]+@[^@\s<>()[\]\\,;:"]+$/.test(key)
