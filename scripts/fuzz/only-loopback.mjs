// Loaded into the program under test before anything else: a connection that would leave the machine fails at once. So
// hostile addresses cost no waiting, and nothing is sent to anyone.
import dns from 'node:dns'
import net from 'node:net'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/i

const refusal = (code, host) => Object.assign(new Error(`${code} ${host}: only loopback is reachable here`), { code })

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...args) {
  const options = Array.isArray(args[0]) ? args[0][0] : args[0]
  const host = typeof options === 'object' ? options.host : typeof args[1] === 'string' ? args[1] : undefined
  const isLocal = typeof options === 'object' && options.path !== undefined
  if (isLocal || host === undefined || LOOPBACK.test(host)) return connect.apply(this, args)
  process.nextTick(() => this.destroy(refusal('ECONNREFUSED', host)))
  return this
}

const lookup = dns.lookup
dns.lookup = (host, options, callback) => {
  const answer = typeof options === 'function' ? options : callback
  if (net.isIP(host) || LOOPBACK.test(host)) lookup(host, options, callback)
  else process.nextTick(answer, refusal('ENOTFOUND', host))
}
const lookupPromise = dns.promises.lookup
dns.promises.lookup = async (host, options) => {
  if (net.isIP(host) || LOOPBACK.test(host)) return lookupPromise(host, options)
  throw refusal('ENOTFOUND', host)
}
for (const name of ['resolve', 'resolve4', 'resolve6', 'resolveSrv', 'resolveTxt', 'resolveMx', 'resolveCname']) {
  dns[name] = (host, ...rest) => process.nextTick(rest.at(-1), refusal('ENOTFOUND', host))
  dns.promises[name] = (host) => Promise.reject(refusal('ENOTFOUND', host))
}
