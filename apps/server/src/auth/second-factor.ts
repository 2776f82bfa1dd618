import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { randomBytes, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { type OwnerProof, type OwnerProofDeps, proveOwner } from './api-keys.ts'
import type { AttemptCounters } from './ports.ts'
import { hashSecret, looksLikeSecret, newSecret } from './secret.ts'
import type { Origin, SecurityLog } from './security-log.ts'
import type { Sessions } from './sessions.ts'
import { tooMany } from './throttle.ts'
import { isTotpSecret, newTotpSecret, stepOfCode, toBase32, totpUri } from './totp.ts'
import type { User } from './user.ts'

/** The page that asks for a passkey, as browsers see it. */
interface PasskeySite {
  readonly origin: string
  readonly domain: string
}

export interface Passkey {
  readonly credentialId: string
  readonly publicKey: Buffer
  readonly signCount: number
  readonly transports: readonly string[]
  /** It works at this address alone. */
  readonly domain: string
}

/** What `navigator.credentials` answered, as JSON. */
type PasskeyResponse = { readonly id: string } & Readonly<Record<string, unknown>>

interface FactorProof {
  readonly code?: string | undefined
  readonly passkey?: PasskeyResponse | undefined
}

export type PasskeyOptions = { readonly challenge: string } & Readonly<Record<string, unknown>>

export interface Passkeys {
  optionsToMake(site: PasskeySite, user: User, existing: readonly Passkey[]): Promise<PasskeyOptions>
  /** Throws a Problem where it is not what was asked for. */
  made(site: PasskeySite, challenge: string, response: PasskeyResponse): Promise<Passkey>
  optionsToUse(site: PasskeySite, existing: readonly Passkey[]): Promise<PasskeyOptions>
  /** Its new counter; undefined where the proof is wrong. */
  used(site: PasskeySite, challenge: string, key: Passkey, response: PasskeyResponse): Promise<number | undefined>
}

export interface Factor {
  readonly id: string
  readonly kind: 'totp' | 'passkey'
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  /** The secret of an authenticator app; absent for a passkey. */
  readonly secret?: string | undefined
  readonly passkey?: Passkey | undefined
}

/** A question that a browser was asked, or a sign-in whose password was right. */
interface Challenge {
  readonly userId: number
  readonly challenge: string | null
  /** The password that was given for the sign-in, as it was stored then. */
  readonly passwordHash: string | null
  readonly returnPath: string | null
}

export interface SecondFactorStore {
  hasAny(userId: number): Promise<boolean>
  list(userId: number): Promise<Factor[]>
  /** With the first factor, the recovery codes as well. Answers whether it was the first; undefined: there are too many. */
  insert(userId: number, factor: Factor, codeHashes: readonly Buffer[], most: number): Promise<boolean | undefined>
  /** The removed one's name; with the last factor, the recovery codes go. */
  remove(userId: number, id: string): Promise<string | undefined>
  removeAll(userId: number): Promise<void>
  /** False where the step, or a later one, was used before. */
  useStep(id: string, step: number, at: Date): Promise<boolean>
  /** False where the counter of the key stood there already. */
  usePasskey(id: string, before: number, signCount: number, at: Date): Promise<boolean>
  /** False where there is no such code, or it was used. */
  useRecoveryCode(userId: number, codeHash: Buffer): Promise<boolean>
  recoveryCodesLeft(userId: number): Promise<number>
  replaceRecoveryCodes(userId: number, codeHashes: readonly Buffer[]): Promise<void>
  /** In the place of an earlier one of the same key. */
  saveChallenge(key: Buffer, challenge: Challenge, expiresAt: Date): Promise<void>
  findChallenge(key: Buffer, now: Date): Promise<Challenge | undefined>
  /** False where another call was quicker. */
  endChallenge(key: Buffer): Promise<boolean>
  removeExpired(now: Date): Promise<void>
}

export interface SecondFactorDeps extends OwnerProofDeps {
  readonly factors: SecondFactorStore
  readonly sessions: Pick<Sessions, 'confirmFactor'>
  readonly passkeys: Passkeys
  readonly counters: AttemptCounters
  readonly clock: Clock
  readonly securityLog: SecurityLog
}

/** Where a page may ask for passkeys, by the rules of browsers: a name, over TLS or on this machine. */
export function passkeySiteOf(site: string): PasskeySite | undefined {
  const { protocol, hostname } = new URL(site)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || (protocol !== 'https:' && !isLocal)) return undefined
  return { origin: site, domain: hostname }
}

const MAX_FACTORS = 20
const RECOVERY_CODES = 10
const CHALLENGE_MS = 10 * 60_000
/** How long a session need not give its factor again. */
const CONFIRMED_MS = 10 * 60_000
/**
 * Wrong codes that an account may give. Three codes of six digits are right at any time: with these limits, guessing
 * for a year finds one in about a hundred accounts.
 */
const WRONG_CODES = [
  { per: 'quarter', attempts: 5, ms: 15 * 60_000 },
  { per: 'day', attempts: 20, ms: 86_400_000 },
] as const

/** Where a factor is given: by a browser on its way in, or by a session that is asked again. */
interface Asked {
  readonly user: { readonly id: number }
  readonly key: Buffer
  readonly purpose: 'sign-in' | 'session'
  readonly site: PasskeySite | undefined
  readonly from: Origin
}

const keyOf = (kind: 'sign-in' | 'confirm' | 'make', secret: string): Buffer => hashSecret(`${kind} ${secret}`)

/** Refuses where the account has a second factor and the session did not give it within ten minutes. */
export async function requireFactor(
  { factors, clock }: Pick<SecondFactorDeps, 'factors' | 'clock'>,
  userId: number,
  factorAt: Date | null,
): Promise<void> {
  const age = clock.now().getTime() - (factorAt?.getTime() ?? 0)
  if ((factorAt !== null && age >= 0 && age < CONFIRMED_MS) || !(await factors.hasAny(userId))) return
  throw new Problem('denied', 'factor.needed', 'Confirm with your second factor first.')
}

/**
 * A stolen session must not add a factor, which would keep the owner out: the first one asks for the password, further ones
 * for a factor.
 */
async function requireOwner(deps: SecondFactorDeps, user: User, proof: OwnerProof & { factorAt: Date | null }) {
  if (await deps.factors.hasAny(user.id)) return requireFactor(deps, user.id, proof.factorAt)
  return proveOwner(deps, user.id, proof, 'Enter your password to add a second factor.')
}

export async function beginTotp(
  deps: SecondFactorDeps,
  user: User,
  proof: OwnerProof & { factorAt: Date | null },
): Promise<{ secret: string; uri: string }> {
  await requireOwner(deps, user, proof)
  const secret = newTotpSecret()
  return { secret, uri: totpUri(secret, user.username) }
}

/** The secret comes back from the browser with the code: a user who adds a factor may know it. */
export async function addTotp(
  deps: SecondFactorDeps,
  user: User,
  { name, secret, code }: { name: string; secret: string; code: string },
  proof: OwnerProof & { factorAt: Date | null },
): Promise<AddedFactor> {
  await requireOwner(deps, user, proof)
  const step = isTotpSecret(secret) ? stepOfCode(secret, code.replaceAll(/\s/g, ''), deps.clock.now()) : undefined
  if (step === undefined) {
    const sentence =
      'This is not the code that the app shows now. Check the time of your phone, and enter the next one.'
    throw new Problem('invalid', 'factor.code', sentence)
  }
  return add(deps, user, { kind: 'totp', name, secret }, proof)
}

export async function beginPasskey(
  deps: SecondFactorDeps,
  user: User,
  site: PasskeySite | undefined,
  proof: OwnerProof & { factorAt: Date | null },
): Promise<PasskeyOptions> {
  await requireOwner(deps, user, proof)
  const existing = await passkeysAt(deps, user.id, requireSite(site).domain)
  const options = await deps.passkeys.optionsToMake(
    requireSite(site),
    user,
    existing.map(({ passkey }) => passkey!),
  )
  await saveChallenge(deps, keyOf('make', proof.sessionId), user.id, options.challenge)
  return options
}

/** The question that was asked of this session proves that its owner was: no other session is asked it. */
export async function addPasskey(
  deps: SecondFactorDeps,
  user: User,
  { name, response }: { name: string; response: PasskeyResponse },
  { site, sessionId, from }: { site: PasskeySite | undefined; sessionId: string; from: Origin },
): Promise<AddedFactor> {
  const key = keyOf('make', sessionId)
  const asked = await deps.factors.findChallenge(key, deps.clock.now())
  if (!asked?.challenge || asked.userId !== user.id || !(await deps.factors.endChallenge(key))) throw ended()
  const passkey = await deps.passkeys.made(requireSite(site), asked.challenge, response)
  return add(deps, user, { kind: 'passkey', name, passkey }, { sessionId, from })
}

interface AddedFactor {
  readonly factor: Factor
  /** With the first factor. */
  readonly recoveryCodes: string[] | null
}

async function add(
  { factors, sessions, clock, securityLog }: SecondFactorDeps,
  user: User,
  wish: Pick<Factor, 'kind' | 'name' | 'secret' | 'passkey'>,
  { sessionId, from }: { sessionId: string; from: Origin },
): Promise<AddedFactor> {
  const factor: Factor = { ...wish, id: randomUUID(), createdAt: clock.now(), lastUsedAt: null }
  const codes = newRecoveryCodes()
  const isFirst = await factors.insert(user.id, factor, codes.map(hashOfCode), MAX_FACTORS)
  if (isFirst === undefined) {
    throw new Problem(
      'conflict',
      'factor.many',
      `You have ${MAX_FACTORS} second factors. Remove one that you do not use.`,
    )
  }
  await securityLog.record('factor.added', { userId: user.id, from, detail: factor.name })
  await sessions.confirmFactor(sessionId)
  return { factor, recoveryCodes: isFirst ? codes : null }
}

export async function removeFactor(
  { factors, securityLog }: SecondFactorDeps,
  userId: number,
  id: string,
  from: Origin,
): Promise<void> {
  const name = await factors.remove(userId, id)
  if (name === undefined) throw new Problem('missing', 'factor.missing', 'There is no such second factor.')
  await securityLog.record('factor.removed', { userId, from, detail: name })
}

export async function makeRecoveryCodes(deps: SecondFactorDeps, userId: number, from: Origin): Promise<string[]> {
  if (!(await deps.factors.hasAny(userId))) {
    throw new Problem('conflict', 'factor.none', 'Recovery codes come with the first second factor. Add one first.')
  }
  const codes = newRecoveryCodes()
  await deps.factors.replaceRecoveryCodes(userId, codes.map(hashOfCode))
  await deps.securityLog.record('recovery-codes.made', { userId, from })
  return codes
}

/** After a right password, or Google: undefined where that is enough, else the secret of the cookie that names the attempt. */
export async function beginSecondStep(
  { factors, clock }: Pick<SecondFactorDeps, 'factors' | 'clock'>,
  { id }: Pick<User, 'id'>,
  { passwordHash = null, returnPath = null }: { passwordHash?: string | null; returnPath?: string | null },
): Promise<string | undefined> {
  if (!(await factors.hasAny(id))) return undefined
  const secret = newSecret()
  const attempt = { userId: id, challenge: null, passwordHash, returnPath }
  await factors.saveChallenge(keyOf('sign-in', secret), attempt, new Date(clock.now().getTime() + CHALLENGE_MS))
  return secret
}

/** The refusal of a right password that is not enough. `ticket` travels in a cookie and is on no wire beside that. */
export class SecondStepNeeded extends Problem {
  readonly ticket: string
  constructor(ticket: string) {
    super('unauthenticated', 'sign-in.second-step', 'Enter the code of your second factor to finish signing in.')
    this.ticket = ticket
  }
}

export async function secondStepOf(
  { factors, clock }: Pick<SecondFactorDeps, 'factors' | 'clock'>,
  ticket: string | undefined,
): Promise<Challenge> {
  const found = looksLikeSecret(ticket) ? await factors.findChallenge(keyOf('sign-in', ticket), clock.now()) : undefined
  if (found) return found
  throw new Problem('unauthenticated', 'sign-in.step-ended', 'This sign-in took too long. Please sign in again.')
}

export const askedAtSignIn = (userId: number, ticket: string, site: PasskeySite | undefined, from: Origin): Asked => ({
  user: { id: userId },
  key: keyOf('sign-in', ticket),
  purpose: 'sign-in',
  site,
  from,
})

export const askedInSession = (user: User, sessionId: string, site: PasskeySite | undefined, from: Origin): Asked => ({
  user,
  key: keyOf('confirm', sessionId),
  purpose: 'session',
  site,
  from,
})

/** What can be given, and the question for a passkey, which is asked anew each time. */
export async function questionFor(
  deps: SecondFactorDeps,
  { user, key, site }: Asked,
): Promise<{ methods: ('totp' | 'passkey' | 'recovery code')[]; passkeyOptions: PasskeyOptions | null }> {
  const all = await deps.factors.list(user.id)
  const here = site ? all.filter(({ passkey }) => passkey?.domain === site.domain) : []
  const passkeyOptions =
    site && here.length > 0
      ? await deps.passkeys.optionsToUse(
          site,
          here.map(({ passkey }) => passkey!),
        )
      : null
  if (passkeyOptions) {
    const before = await deps.factors.findChallenge(key, deps.clock.now())
    await saveChallenge(deps, key, user.id, passkeyOptions.challenge, before)
  }
  return {
    methods: [
      ...(all.some(({ kind }) => kind === 'totp') ? (['totp'] as const) : []),
      ...(passkeyOptions ? (['passkey'] as const) : []),
      ...((await deps.factors.recoveryCodesLeft(user.id)) > 0 ? (['recovery code'] as const) : []),
    ],
    passkeyOptions,
  }
}

/** Throws a Problem where the proof is wrong. Wrong codes count for the account, wherever they come from. */
export async function proveFactor(deps: SecondFactorDeps, asked: Asked, { code, passkey }: FactorProof): Promise<void> {
  const { user, purpose, from } = asked
  if (passkey) {
    if (await isPasskeyRight(deps, asked, passkey)) return
  } else {
    if (!code) throw new Problem('invalid', 'factor.code', 'Please enter a code.')
    await countGuess(deps, user.id, purpose)
    if (await isCodeRight(deps, user.id, code, from)) {
      for (const { per } of WRONG_CODES) await deps.counters.clear(subjectOf(user.id, purpose, per))
      return
    }
  }
  await deps.securityLog.record('factor.failed', { userId: user.id, from })
  const sentence = passkey
    ? 'This passkey could not be verified. Please try again.'
    : 'This code is wrong, or was used before. Please enter the next one.'
  throw new Problem('denied', 'factor.wrong', sentence)
}

/** Counted before it is compared: many at the same moment could otherwise all pass before one has failed. */
async function countGuess({ counters, clock }: SecondFactorDeps, userId: number, purpose: string): Promise<void> {
  const now = clock.now()
  for (const { per, attempts, ms } of WRONG_CODES) {
    const count = await counters.add(subjectOf(userId, purpose, per), now, new Date(now.getTime() + ms))
    if (count.attempts > attempts) throw tooMany('wrong codes', count.windowEndsAt, now)
  }
}

/** A stranger at the sign-in, who knows the password, does not keep the owner's session from giving its code. */
const subjectOf = (userId: number, purpose: string, per: string) => `codes of ${userId} at ${purpose} a ${per}`

async function isCodeRight(deps: SecondFactorDeps, userId: number, typed: string, from: Origin): Promise<boolean> {
  const { factors, clock, securityLog } = deps
  const code = typed.replaceAll(/[\s-]/g, '')
  for (const { id, secret } of await factors.list(userId)) {
    const step = secret === undefined ? undefined : stepOfCode(secret, code, clock.now())
    if (step !== undefined && (await factors.useStep(id, step, clock.now()))) return true
  }
  if (code.length !== RECOVERY_CODE_LETTERS || !(await factors.useRecoveryCode(userId, hashOfCode(code)))) return false
  const left = await factors.recoveryCodesLeft(userId)
  await securityLog.record('recovery-code.used', { userId, from, detail: `${left} left` })
  return true
}

async function isPasskeyRight(deps: SecondFactorDeps, asked: Asked, response: PasskeyResponse): Promise<boolean> {
  const { factors, passkeys, clock } = deps
  const { user, key, site } = asked
  const question = await factors.findChallenge(key, clock.now())
  if (!question?.challenge || question.userId !== user.id || !site) throw ended()
  // Whatever comes of it, the question was answered.
  await saveChallenge(deps, key, user.id, null, question)
  const factor = (await passkeysAt(deps, user.id, site.domain)).find(
    ({ passkey }) => passkey?.credentialId === response.id,
  )
  if (!factor?.passkey) return false
  const signCount = await passkeys.used(site, question.challenge, factor.passkey, response)
  if (signCount === undefined) return false
  return factors.usePasskey(factor.id, factor.passkey.signCount, signCount, clock.now())
}

const passkeysAt = async ({ factors }: SecondFactorDeps, userId: number, domain: string): Promise<Factor[]> =>
  (await factors.list(userId)).filter(({ passkey }) => passkey?.domain === domain)

const saveChallenge = (
  { factors, clock }: SecondFactorDeps,
  key: Buffer,
  userId: number,
  challenge: string | null,
  before?: Challenge,
): Promise<void> =>
  factors.saveChallenge(
    key,
    { userId, challenge, passwordHash: before?.passwordHash ?? null, returnPath: before?.returnPath ?? null },
    new Date(clock.now().getTime() + CHALLENGE_MS),
  )

function requireSite(site: PasskeySite | undefined): PasskeySite {
  if (site) return site
  const sentence = 'Passkeys need an address with a name, over https or on localhost. Use an authenticator app here.'
  throw new Problem('conflict', 'passkey.site', sentence)
}

const ended = (): Problem =>
  new Problem('invalid', 'passkey.ended', 'This took too long, or was finished before. Please try again.')

/** 80 bits each: a fast hash is enough to store them. */
const RECOVERY_CODE_LETTERS = 16

const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    toBase32(randomBytes(10))
      .toLowerCase()
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  )

const hashOfCode = (code: string): Buffer => hashSecret(`recovery ${code.replaceAll(/[\s-]/g, '').toLowerCase()}`)
