import type { Account, SignInMethods, User } from './user.ts'

export interface NewUser {
  username: string
  usernameKey: string
  email: string
  emailKey: string
  signIn: SignInMethods
  createdAt: Date
}

export interface UserStore {
  /** Null when the username or the Google account belongs to somebody already. */
  insert(user: NewUser): Promise<Account | null>
  find(id: number): Promise<Account | null>
  /** By username, or by e-mail address where one user alone has it. */
  findByLogin(key: string): Promise<Account | null>
  findByGoogleSubject(subject: string): Promise<Account | null>
  /** Whether the key is anybody's username or e-mail address. */
  isKnown(key: string): Promise<boolean>
  /**
   * Lets `decide` choose the new sign-in methods while nobody else can change them. Answers false, changing nothing,
   * when the chosen Google account is another user's.
   */
  changeSignIn(id: number, decide: (now: SignInMethods) => SignInMethods): Promise<boolean>
  /** With every row that belongs to the user. */
  remove(id: number): Promise<void>
}

/** Names of the user's deployments that are not stopped. */
export type RunningDeployments = (userId: number) => Promise<readonly string[]>

/** What a user has outside the database. */
export interface UserFiles {
  /** Finds them while the rows still say where they are, and answers how to remove them once the rows are gone. */
  of(userId: number): Promise<() => Promise<void>>
}

/** A session has two secrets, one for the cookie and one for programs; only their hashes are stored. */
export type Credential = 'cookie' | 'bearer'

export interface Session {
  id: string
  user: User
  lastUsedAt: Date
  expiresAt: Date
}

/** A session as its owner sees it in a list. */
export interface ListedSession {
  id: string
  userAgent: string
  address: string
  createdAt: Date
  lastUsedAt: Date
}

export interface NewSession {
  id: string
  userId: number
  cookieHash: Buffer
  bearerHash: Buffer
  userAgent: string
  address: string
  createdAt: Date
  expiresAt: Date
}

export interface SessionStore {
  insert(session: NewSession): Promise<void>
  /** Expired sessions are not found. */
  find(credential: Credential, hash: Buffer, now: Date): Promise<Session | null>
  renew(id: string, lastUsedAt: Date, expiresAt: Date): Promise<void>
  /** Ends a session, tells every process that shares the database, and answers its id; null when there was none. */
  revokeBySecret(credential: Credential, hash: Buffer): Promise<string | null>
  list(userId: number, now: Date): Promise<ListedSession[]>
  /** Like `revokeBySecret`; false when the user has no such session. */
  revokeOwn(userId: number, id: string): Promise<boolean>
  /** Ends all sessions of a user but the one to be kept, and answers the ids of those that ended. */
  revokeAll(userId: number, keepId: string | undefined): Promise<string[]>
  removeExpired(now: Date): Promise<void>
}

export interface AttemptCount {
  attempts: number
  windowEndsAt: Date
}

/** Counts that all processes share. A window begins with its first attempt. */
export interface AttemptCounters {
  /** Null when no window is running. */
  read(subject: string, now: Date): Promise<AttemptCount | null>
  add(subject: string, now: Date, windowEndsAt: Date): Promise<AttemptCount>
  clear(subject: string): Promise<void>
  removeEnded(now: Date): Promise<void>
}

export interface PasswordHasher {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
  /** Whether a hash was made with weaker parameters than today's. */
  isOutdated(hash: string): boolean
}

/** Why a browser was sent to Google: to sign in, or to link the account to the user who asked. */
export type GooglePurpose = { kind: 'login' } | { kind: 'link'; userId: number }

/** What must be remembered between sending a browser to Google and its coming back. */
export interface GoogleFlow {
  purpose: GooglePurpose
  /** Of the cookie of the browser that was sent. */
  browserHash: Buffer
  nonce: string
  codeVerifier: string
}

export interface GoogleFlowStore {
  insert(stateHash: Buffer, flow: GoogleFlow, expiresAt: Date): Promise<void>
  /** Each flow is handed out once; an expired one never. */
  take(stateHash: Buffer, now: Date): Promise<GoogleFlow | null>
  removeExpired(now: Date): Promise<void>
}

export interface GoogleIdentity {
  subject: string
  email: string
  isEmailVerified: boolean
}

/** Google's side of signing in. Problems: `google.unavailable`, `google.denied`, `google.response`. */
export interface GoogleProvider {
  authorize(redirectUri: string, state: string): Promise<{ url: string; nonce: string; codeVerifier: string }>
  /** `callbackUrl` is the address, query and all, that Google sent the browser back to. */
  identify(callbackUrl: URL, state: string, flow: Pick<GoogleFlow, 'nonce' | 'codeVerifier'>): Promise<GoogleIdentity>
}
