import { expect, it } from 'vitest'
import { arrivalFrom, googleLoginPath, returnPathOf } from './session.ts'

it('leads back to the whole address', () => {
  const location = { pathname: '/backtest', search: '?backtest_id=7', hash: '#risk' }
  expect(returnPathOf(arrivalFrom(location))).toBe('/backtest?backtest_id=7#risk')
  expect(returnPathOf({ returnTo: '/live-trading/12' })).toBe('/live-trading/12')
})

it('leads Home from anywhere else', () => {
  for (const returnTo of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/login',
    '/register?x=1',
    '/nowhere',
    7,
  ]) {
    expect(returnPathOf({ returnTo }), String(returnTo)).toBe('/')
  }
  expect(returnPathOf(null)).toBe('/')
})

it('goes along to Google, unless it is Home', () => {
  expect(googleLoginPath(null)).toBe('/api/auth/google/login')
  expect(googleLoginPath({ returnTo: '//evil.example' }, 'abc')).toBe('/api/auth/google/login?invite=abc')
  expect(googleLoginPath({ returnTo: '/live-trading/12?tab=a' })).toBe(
    '/api/auth/google/login?return=%2Flive-trading%2F12%3Ftab%3Da',
  )
})
