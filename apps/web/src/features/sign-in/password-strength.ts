interface PasswordStrength {
  /** From 1 to 4, for the bar. */
  steps: number
  word: 'Weak' | 'Fair' | 'Good' | 'Strong'
  advice: string | null
}

const COMMON = /^(password|passwort|qwerty|letmein|welcome|admin|iloveyou|abc)?[\d!.]*$/i

/**
 * A hint, never a rule: length counts most, then variety. Rough by design; it says nothing about passwords that were
 * stolen elsewhere.
 */
export function passwordStrength(password: string, username: string): PasswordStrength | null {
  if (password === '') return null
  const name = username.trim().toLowerCase()
  if (name.length > 2 && password.toLowerCase().includes(name)) return weak('It contains the username.')
  if (COMMON.test(password)) return weak('It is among the most commonly used passwords.')
  if (new Set(password).size < 5) return weak('It repeats a few characters.')
  const size = password.length + 2 * (kindsOf(password) - 1)
  if (password.length < 8) return weak('Longer is stronger: try 12 characters or more.')
  if (size < 14) return { steps: 2, word: 'Fair', advice: 'A few more characters or words make it good.' }
  if (size < 19) return { steps: 3, word: 'Good', advice: null }
  return { steps: 4, word: 'Strong', advice: null }
}

function weak(advice: string): PasswordStrength {
  return { steps: 1, word: 'Weak', advice }
}

function kindsOf(password: string): number {
  return [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length
}
