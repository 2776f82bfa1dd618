export interface Credentials {
  username: string
  password: string
}

export type CredentialErrors = Partial<Record<keyof Credentials, string>>

/** Refuses an empty name or password; nothing else is asked of them here. */
export function checkCredentials({ username, password }: Credentials): CredentialErrors {
  return {
    ...(username.trim() === '' ? { username: 'Username is required.' } : {}),
    ...(password === '' ? { password: 'Password is required.' } : {}),
  }
}

export function firstWrongField(errors: CredentialErrors): keyof Credentials | null {
  if (errors.username) return 'username'
  return errors.password ? 'password' : null
}
