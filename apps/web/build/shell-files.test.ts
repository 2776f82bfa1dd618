import { expect, it } from 'vitest'
import { filesOf } from './shell-files.ts'

const manifest = {
  'index.html': {
    file: 'assets/index.js',
    css: ['assets/index.css'],
    imports: ['_foundation.js'],
    dynamicImports: ['a.tsx', 'b.tsx'],
  },
  '_foundation.js': { file: 'assets/foundation.js' },
  'a.tsx': { file: 'assets/a.js', imports: ['index.html', '_shared.js'] },
  'b.tsx': { file: 'assets/b.js' },
  '_shared.js': { file: 'assets/shared.js', assets: ['assets/inter.woff2'], imports: ['a.tsx'] },
}

it('follows static imports, in circles too, and leaves dynamic ones alone', () => {
  expect(filesOf(manifest, ['index.html', 'a.tsx'])).toEqual([
    'assets/a.js',
    'assets/foundation.js',
    'assets/index.css',
    'assets/index.js',
    'assets/inter.woff2',
    'assets/shared.js',
  ])
})

it('refuses an entry that the build does not know', () => {
  expect(() => filesOf(manifest, ['gone.tsx'])).toThrow('no entry gone.tsx')
})
