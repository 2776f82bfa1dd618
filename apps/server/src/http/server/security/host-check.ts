import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance } from 'fastify'
import { isIP, isIPv4 } from 'node:net'
import type { Config } from '../../../config.ts'

type HostSettings = Pick<Config, 'host' | 'appUrl' | 'allowedHosts'>

/**
 * DNS rebinding: a page of evil.example lets its name point to our address, and the visitor's browser then takes us for
 * its own site. It still sends that name as Host, so only known names are answered. Which port does not matter: it is
 * another one behind a forwarding, and a name cannot be rebound by its port.
 */
export function refuseUnknownHosts(app: FastifyInstance, settings: HostSettings): void {
  const isKnown = hostCheck(settings)
  app.addHook('onRequest', (request, _reply, next) => {
    // A proxy passes on what the visitor wrote there. What our address is, APP_URL says.
    delete request.headers['x-forwarded-host']
    const { host } = request.headers
    next(isKnown(host) ? undefined : unknownHost(host!))
  })
}

/** Whether a Host header names this server. A browser always sends one; programs of HTTP/1.0 may not. */
export function hostCheck({ host, appUrl, allowedHosts }: HostSettings): (header: string | undefined) => boolean {
  const listensEverywhere = host === '0.0.0.0' || host === '::'
  const own = [host, ...(appUrl ? [URL.parse(appUrl)?.host ?? ''] : []), ...allowedHosts]
  const names = new Set([
    'localhost',
    ...own.flatMap((name) => hostNameOf(isIP(name) === 6 ? `[${name}]` : name) ?? []),
  ])
  return (header) => {
    if (header === undefined) return true
    const name = hostNameOf(header)
    if (name === undefined) return false
    // An address is not looked up, so it cannot be rebound.
    return names.has(name) || isLoopback(name) || (listensEverywhere && isAddress(name))
  }
}

/** The name or address of a Host header in lower case, without its port; undefined when it is no host. */
function hostNameOf(header: string): string | undefined {
  if (!/^(\[[0-9a-f:.]+\]|[^\s/?#@:[\]\\]+)(:\d{1,5})?$/i.test(header)) return undefined
  return URL.parse(`http://${header}`)?.hostname.replace(/\.$/, '')
}

const isAddress = (name: string): boolean => isIPv4(name) || name.startsWith('[')
const isLoopback = (name: string): boolean => name === '[::1]' || (isIPv4(name) && name.startsWith('127.'))

function unknownHost(host: string): Problem {
  const name = host.slice(0, 100)
  const sentence = `This server does not answer to the address ${name}. Its operator can allow it with the setting ALLOWED_HOSTS.`
  return new Problem('denied', 'host.unknown', sentence)
}
