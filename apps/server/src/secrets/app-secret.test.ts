import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { appSecret } from './open-seal.ts'

describe("the application's secret", () => {
  it('is what was configured, and then writes no file', () => {
    const folder = temporaryFolder()
    expect(appSecret('configured by the operator', folder)).toBe('configured by the operator')
    expect(() => statSync(join(folder, 'app-secret'))).toThrow('ENOENT')
  })

  it('is made once and kept, readable by its user only', () => {
    const folder = temporaryFolder()
    const made = appSecret(undefined, folder)
    expect(appSecret(undefined, folder)).toBe(made)
    expect(statSync(join(folder, 'app-secret')).mode & 0o777).toBe(0o600)
  })

  it('is tightened when its permissions were opened to others', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'app-secret'), 'a secret that is long enough', { mode: 0o644 })
    appSecret(undefined, folder)
    expect(statSync(join(folder, 'app-secret')).mode & 0o777).toBe(0o600)
  })

  it('refuses a damaged file instead of sealing with nothing', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'app-secret'), '')
    expect(() => appSecret(undefined, folder)).toThrow(/damaged/)
  })
})
