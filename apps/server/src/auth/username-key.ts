import { Problem } from '@tradewright/core/problem'

/** The index of the database holds this with ease; a few exotic characters grow eighteenfold when they are unfolded. */
const KEY_MAX_LENGTH = 400

/**
 * A username as it is compared: letter case, Unicode form and invisible characters do not make a different user
 * (Unicode's NFKC_Casefold, near enough).
 */
export function usernameKey(username: string): string {
  const key = username
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    // Last, because unfolding may bring spaces to the ends (a lone accent becomes a space that carries it).
    .trim()
  if (key.length > KEY_MAX_LENGTH) throw new Problem('invalid', 'username.length', 'Username is too long.')
  return key
}
