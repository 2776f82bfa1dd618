import { httpClient, type Call, type HttpSurroundings } from '../http/http-client.ts'

const MAX_BYTES = 1024 * 1024

export interface UserAddresses {
  /** Why an address cannot be used, as a sentence. */
  check(text: string): string | undefined
  /** One request to an address that a user entered, behind the guard; `secrets` are in no log line and no failure. */
  call(address: string, call: Omit<Call, 'path'>, secrets?: readonly string[]): Promise<void>
}

/** `http` connects through the address guard. `allowsPlain`: addresses without encryption are possible. */
export function userAddresses(http: HttpSurroundings, { allowsPlain }: { allowsPlain: boolean }): UserAddresses {
  return {
    check(text) {
      if (!URL.canParse(text)) return 'The address must look like https://example.com/path.'
      const { protocol, username, password } = new URL(text)
      if (username !== '' || password !== '') return 'The address must not contain a user name or password.'
      if (protocol === 'https:' || (protocol === 'http:' && allowsPlain)) return undefined
      return 'The address must begin with https://.'
    },
    async call(address, call, secrets = []) {
      const { origin, pathname, search } = new URL(address)
      // The path may be the secret, as it is for many webhooks.
      const masked = [...secrets, pathname.slice(1), search.slice(1)]
      const options = {
        service: 'alerts',
        baseUrl: origin,
        maxBytes: MAX_BYTES,
        // The outbox tries again.
        retry: { attempts: 1 },
        secrets: masked.flatMap((secret) => (secret.length > 3 ? [secret, encodeURI(secret)] : [])),
      }
      await httpClient(options, http).text({ ...call, path: `${pathname}${search}` })
    },
  }
}
