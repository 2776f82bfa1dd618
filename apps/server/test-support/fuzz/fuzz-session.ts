import type { ContractCall } from './contract-calls.ts'
import { harvestIds, IdPool } from './id-pool.ts'
import { type Fault, judge } from './judge.ts'
import { cookieOf, type PlantedUser, plantUser, type PlantSettings, withoutKnownNames } from './planted-user.ts'
import { callAt, type PlannedRequest, planRequest } from './requests.ts'
import { renderRequest } from './render.ts'
import type { WireAnswer, WireRequest } from './wire.ts'

export interface Finding {
  readonly planned: PlannedRequest
  readonly request: WireRequest
  readonly fault: Fault
}

interface Attempt {
  readonly request: WireRequest
  readonly answer: WireAnswer
  readonly fault: Fault | undefined
}

interface FuzzSettings extends Omit<PlantSettings, 'name' | 'hasAlpaca'> {
  readonly calls: readonly ContractCall[]
  readonly seed: number
  /** Costly calls are made once in so many of their turns. */
  readonly rarity?: number
}

/** Two users with planted data, whose ids are mixed, and a guest who may lose their session at any request. */
export class FuzzSession {
  readonly statuses = new Map<number, number>()
  readonly #settings: FuzzSettings
  readonly #calls: ReadonlyMap<string, ContractCall>
  readonly #ann: PlantedUser
  readonly #bob: PlantedUser
  #guest: Readonly<Record<string, string>> = {}
  #guests = 0

  private constructor(settings: FuzzSettings, ann: PlantedUser, bob: PlantedUser) {
    this.#settings = settings
    this.#calls = new Map(settings.calls.map((call) => [call.id, call]))
    this.#ann = ann
    this.#bob = bob
  }

  static async open(settings: FuzzSettings): Promise<FuzzSession> {
    const ann = await plantUser({ ...settings, name: 'ann', hasAlpaca: false })
    const bob = await plantUser({ ...settings, name: 'bob', hasAlpaca: false })
    return new FuzzSession(settings, ann, bob)
  }

  /** Sends the request of this index, and gives what is wrong with its answer. */
  async run(index: number): Promise<Finding | undefined> {
    const { calls, seed, rarity } = this.#settings
    const planned = planRequest(callAt(calls, seed, index, rarity), seed, index)
    const { request, answer, fault } = await this.#attempt(planned)
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1)
    return fault && { planned, request, fault }
  }

  /** The same fault from as little as possible: parts are left out one by one, as long as the fault stays. */
  async shrink(finding: Finding): Promise<Finding> {
    let smallest = finding
    for (const smaller of smallerRequests(finding.planned)) {
      const planned = smaller(smallest.planned)
      const { request, fault } = await this.#attempt(planned)
      if (fault?.kind === finding.fault.kind) smallest = { planned, request, fault }
    }
    return smallest
  }

  async #attempt(planned: PlannedRequest): Promise<Attempt> {
    if (planned.caller === 'guest') await this.#welcomeGuest()
    const request = renderRequest(planned, this.#contextOf(planned))
    const answer = await this.#settings.send(request)
    this.#learn(planned, answer)
    const told = withoutKnownNames(planned.call, [this.#ann, this.#bob], answer)
    const fault = judge(planned, this.#calls.get(planned.call)!, told, this.#forbiddenTo(planned.caller))
    return { request, answer, fault }
  }

  #contextOf({ caller }: PlannedRequest) {
    const [own, others] = caller === 'bob' ? [this.#bob, this.#ann] : [this.#ann, this.#bob]
    const headers = { ann: this.#ann.headers, bob: this.#bob.headers, guest: this.#guest, stranger: {} }[caller]
    return { own: caller === 'guest' ? new IdPool() : own.ids, others: others.ids, headers }
  }

  #learn({ caller }: PlannedRequest, { status, headers, body }: WireAnswer): void {
    if (caller === 'guest' && status === 401) this.#guest = {}
    if (status !== 200 || !/^[[{]/.test(body) || !String(headers['content-type']).includes('json')) return
    if (body.length > 100_000) return
    const user = { ann: this.#ann, bob: this.#bob, guest: undefined, stranger: undefined }[caller]
    if (user) harvestIds(JSON.parse(body), user.ids)
  }

  #forbiddenTo(caller: PlannedRequest['caller']): string[] {
    const [ann, bob] = [this.#ann, this.#bob]
    const others = { ann: [bob], bob: [ann], guest: [ann, bob], stranger: [ann, bob] }[caller]
    return [...others.map(({ canary }) => canary), ...ann.secrets, ...bob.secrets, '$argon2']
  }

  /** A guest who was signed out or deleted is replaced by a new one. */
  async #welcomeGuest(): Promise<void> {
    if (Object.keys(this.#guest).length > 0) return
    const user = { username: `guest-${++this.#guests}`, password: 'a long password 9' }
    const headers = { 'content-type': 'application/json' }
    const payload = JSON.stringify(user)
    const answer = await this.#settings.send({ method: 'POST', url: '/api/register', headers, payload })
    if (answer.status !== 200) throw new Error(`a guest could not register: ${answer.status} ${answer.body}`)
    this.#guest = { cookie: cookieOf(answer) }
  }
}

type Smaller = (request: PlannedRequest) => PlannedRequest

function smallerRequests({ query, body, headers }: PlannedRequest): Smaller[] {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return [
    (request) => ({ ...request, contentType: undefined }),
    (request) => ({ ...request, rawBody: undefined }),
    (request) => ({ ...request, body: undefined }),
    ...Object.keys(headers).map((name): Smaller => (request) => ({
      ...request,
      headers: without(request.headers, name),
    })),
    ...query.map(([name]): Smaller => (request) => ({
      ...request,
      query: request.query.filter(([other]) => other !== name),
    })),
    ...(isObject
      ? Object.keys(body).map((name): Smaller => (request) => ({
          ...request,
          body: without(Object(request.body) as Record<string, unknown>, name),
        }))
      : []),
  ]
}

const without = <Value>(fields: Readonly<Record<string, Value>>, key: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key))
