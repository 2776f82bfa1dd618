import { isIP } from 'node:net'
import { isLoopback } from './auth/network.ts'

/** Whether only this machine reaches the instance: neither HOST nor APP_URL is an address that others could use. */
export function isLoopbackOnly({ host, appUrl }: { host: string; appUrl: string | undefined }): boolean {
  const site = appUrl === undefined ? host : (URL.parse(appUrl)?.hostname ?? '')
  return isLoopbackName(host) && isLoopbackName(site)
}

const isLoopbackName = (name: string): boolean => {
  const plain = name.replace(/^\[|\]$/g, '').toLowerCase()
  return plain === 'localhost' || plain.endsWith('.localhost') || (isIP(plain) !== 0 && isLoopback(plain))
}
