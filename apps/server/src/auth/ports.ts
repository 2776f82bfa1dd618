import type { KeyScope } from '@tradewright/core/key-scopes'
import type { Account, EmailState, SignInMethods, User, UserFormats } from './user.ts'

export interface NewUser {
  username: string
  usernameKey: string
  email: string
  emailKey: string
  emailState: EmailState
  signIn: SignInMethods
  createdAt: Date
}

/** The grounds of a new account: open registration, the first account alone, or an invitation, which it uses up. */
export type Admission = { kind: 'anybody' } | { kind: 'first' } | { kind: 'invitation'; tokenHash: Buffer }

export interface UserStore {
  /**
   * `taken`: the username, the Google account or the e-mail address in its state is another account's. The first account
   * needs no invitation. A refused insert uses none up.
   */
  insert(user: NewUser, admission: Admission): Promise<Account | 'taken' | 'not admitted'>
  hasAny(): Promise<boolean>
  find(id: number): Promise<Account | null>
  /**
   * The accounts that a name may mean, the strongest claim first: the verified e-mail address, the username, the accepted
   * e-mail address. More than one only where one account's username is another's address.
   */
  findByLogin(key: string): Promise<Account[]>
  findByGoogleSubject(subject: string): Promise<Account | null>
  /** Whether the key is an e-mail address that signs in to an account. */
  isSignInEmail(key: string): Promise<boolean>
  isVerifiedEmail(key: string): Promise<boolean>
  /** Marks the address of an account as proven, where it is still this one. False when another account proved it before. */
  verifyEmail(id: number, emailKey: string): Promise<boolean>
  /**
   * Lets `decide` choose the new sign-in methods under a lock against other changes. Answers false, changing nothing,
   * when the chosen Google account is another user's.
   */
  changeSignIn(id: number, decide: (now: SignInMethods) => SignInMethods): Promise<boolean>
  /**
   * Removes the user with every row that belongs to them, unless a deployment has another than one of these states:
   * then the names of those that have, and nothing is removed.
   */
  remove(id: number, removableStates: readonly string[]): Promise<readonly string[]>
}

/** Names of the user's deployments that are not stopped. */
export type RunningDeployments = (userId: number) => Promise<readonly string[]>

/** A user's files outside the database. */
export interface UserFiles {
  /** Finds them while the rows still say where they are, and answers how to remove them once the rows are gone. */
  of(userId: number): Promise<() => Promise<void>>
}

/** A session has two secrets, one for the cookie and one for programs; only their hashes are stored. */
export type Credential = 'cookie' | 'bearer'

export interface Session {
  id: string
  user: User
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
  /** When it last gave a second factor. */
  factorAt: Date | null
}

/** A session as its owner sees it in a list. */
interface ListedSession {
  id: string
  userAgent: string
  address: string
  createdAt: Date
  lastUsedAt: Date
}

interface NewSession {
  id: string
  userId: number
  cookieHash: Buffer
  bearerHash: Buffer
  userAgent: string
  address: string
  createdAt: Date
  expiresAt: Date
  factorAt: Date | null
}

export interface SessionStore {
  /**
   * False when the user has another password than the one of this hash by now; without a hash it is not asked. `suspended`:
   * the operator lets nobody in.
   */
  insert(session: NewSession, passwordHash?: string): Promise<boolean | 'suspended'>
  /** Expired sessions are not found. */
  find(credential: Credential, hash: Buffer, now: Date): Promise<Session | null>
  /** Notes that the session gave a second factor, and tells every process. */
  confirmFactor(id: string, at: Date): Promise<void>
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

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly beginsWith: string
  readonly scopes: readonly KeyScope[]
  readonly callsPerMinute: number
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
}

export interface FoundKey extends ApiKey {
  readonly user: User
  readonly isSuspended: boolean
  readonly revokedAt: Date | null
}

export interface ApiKeyStore {
  /** False when the user has as many keys as they may have. */
  insert(userId: number, key: ApiKey & { readonly keyHash: Buffer }, most: number): Promise<boolean>
  /** Asked for every call, so that a revoked key works in no process. */
  find(keyHash: Buffer): Promise<FoundKey | undefined>
  /** The user's keys without the revoked ones. */
  list(userId: number): Promise<ApiKey[]>
  used(id: string, now: Date, unlessSince: Date): Promise<void>
  /** True where the key was never used from this network before. Asks the database once for each network. */
  usedFrom(id: string, networkHash: Buffer, now: Date): Promise<boolean>
  /** Tells every process; answers the key's name, and undefined when the user has no such key. */
  revoke(userId: number, id: string, now: Date): Promise<string | undefined>
  revokeAll(userId: number, now: Date): Promise<void>
  removeEnded(before: Date): Promise<void>
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
  /** Like `add`, but the window ends anew with every attempt. */
  prolong(subject: string, now: Date, windowEndsAt: Date): Promise<AttemptCount>
  clear(subject: string): Promise<void>
  removeEnded(now: Date): Promise<void>
}

export interface InvitationStore {
  /** Answers its id. */
  insert(tokenHash: Buffer, createdAt: Date, expiresAt: Date): Promise<string>
  /** Invitations that can still be used, newest first. */
  list(now: Date): Promise<{ id: string; createdAt: Date; expiresAt: Date }[]>
  /** Answers whether it was there. */
  remove(id: string): Promise<boolean>
  isValid(tokenHash: Buffer, now: Date): Promise<boolean>
  removeExpired(now: Date): Promise<void>
}

interface NewEmailVerification {
  tokenHash: Buffer
  userId: number
  email: string
  emailKey: string
  expiresAt: Date
}

interface ConfirmedEmail {
  userId: number
  email: string
  /** The verified address that the account had before. */
  replaced: string | undefined
}

/** Links that were sent to an address, to prove that it is read by its account. */
export interface EmailVerificationStore {
  insert(verification: NewEmailVerification): Promise<void>
  /** The address of the newest link that can still be used. */
  pendingOf(userId: number, now: Date): Promise<string | null>
  /** Uses the link up, and makes the address the verified one of its account. */
  confirm(tokenHash: Buffer, now: Date): Promise<ConfirmedEmail | 'unknown' | 'taken'>
  /** Ends the links that would give the account another address than it has. */
  removeChanges(userId: number): Promise<void>
  removeExpired(now: Date): Promise<void>
}

/** Devices and networks that an account was signed in from, by their hashes. */
export interface KnownPlaceStore {
  /** The places among `hashes` that the account knows. */
  known(userId: number, hashes: readonly Buffer[]): Promise<Buffer[]>
  remember(userId: number, hashes: readonly Buffer[], at: Date): Promise<void>
  forget(userId: number, keep: Buffer | undefined): Promise<void>
  removeOld(before: Date): Promise<void>
}

export interface PasswordHasher {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
  /** Whether a hash was made with weaker parameters than today's. */
  isOutdated(hash: string): boolean
}

/** Why a browser was sent to Google: to sign in, or to link the account to the user who asked. */
export type GooglePurpose =
  /** A new account uses the invitation that the visitor came with. */
  | { kind: 'login'; invitationHash?: Buffer | undefined; /** A screen of this app. */ returnPath?: string | undefined }
  | { kind: 'link'; userId: number }

/** State between sending a browser to Google and its coming back. */
interface GoogleFlow {
  purpose: GooglePurpose
  /** Hash of the secret in the cookie of the browser that was sent to Google. */
  browserHash: Buffer
  nonce: string
  codeVerifier: string
}

export interface GoogleFlowStore {
  insert(stateHash: Buffer, flow: GoogleFlow, expiresAt: Date): Promise<void>
  /** Each flow is handed out once; an expired one never. */
  consume(stateHash: Buffer, now: Date): Promise<GoogleFlow | null>
  /** Ends the linking that the user began. */
  removeOf(userId: number): Promise<void>
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

export interface UserFormatsStore {
  /** Null until they choose. */
  find(userId: number): Promise<UserFormats | null>
  save(userId: number, formats: UserFormats): Promise<void>
}
