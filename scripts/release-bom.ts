import { createHash } from 'node:crypto'

interface LockEntry {
  version?: string
  integrity?: string
  license?: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  link?: boolean
}

interface Lock {
  packages: Record<string, LockEntry>
}

/**
 * The packages that a release installs, and those it installs when they are first needed (scope "optional"), as CycloneDX
 * 1.6. From the lockfile alone, so that the same commit gives the same bytes; `npm sbom` adds the time and a random number.
 */
export function releaseBom(lock: Lock, version: string, at: Date, onDemand: readonly string[]): string {
  const entries = Object.entries(lock.packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
  const needed = entries.filter(([path, { dev, devOptional }]) => (!dev && !devOptional) || onDemand.includes(path))
  const components = needed
    .map(([path, { integrity, license, ...entry }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const purl = `pkg:npm/${name.replace('@', '%40')}@${entry.version}`
      const isOptional = entry.optional || onDemand.includes(path)
      return {
        type: 'library',
        'bom-ref': `${purl}#${path}`,
        name,
        version: entry.version,
        purl,
        scope: isOptional ? 'optional' : 'required',
        hashes: integrity ? [hashOf(integrity)] : undefined,
        licenses: license ? [licenseOf(license)] : undefined,
      }
    })
    .sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const content = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      component: {
        type: 'application',
        'bom-ref': `tradewright@${version}`,
        name: 'tradewright',
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components,
  }
  return `${JSON.stringify({ ...content, serialNumber: serialOf(JSON.stringify(content)) }, undefined, 1)}\n`
}

/** The lockfile has base64, CycloneDX hexadecimal digits. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [algorithm = '', digest = ''] = integrity.split('-', 2)
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }
}

const licenseOf = (license: string) =>
  /[\s()]/.test(license) ? { expression: license } : { license: { name: license } }

/** A UUID of version 8, derived from the content. */
function serialOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex')
  const [a, b, c, d, e] = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return `urn:uuid:${[a, b, c, d, e].join('-')}`
}
