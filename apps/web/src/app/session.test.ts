import { describe, expect, it } from 'vitest'
import { newSession, nextSession, type Session, SESSION_ENDED } from './session.ts'

const user = { id: 1, username: 'maria', email: 'maria' }
const signedIn: Session = { state: 'signed in', user }
const signedOut: Session = { state: 'signed out', notice: null }

describe('the session', () => {
  it('begins as loading', () => {
    expect(newSession).toEqual({ state: 'loading' })
  })

  it('is signed in once a user is known, by the check, a login or a registration [SHELL-059]', () => {
    expect(nextSession(newSession, { type: 'user found', user })).toEqual(signedIn)
    expect(nextSession(signedOut, { type: 'user found', user })).toEqual(signedIn)
  })

  it('is signed out when the current-user call fails [SHELL-058]', () => {
    expect(nextSession(newSession, { type: 'no user found', isOnline: true, notice: null })).toEqual(signedOut)
  })

  it('stays open while the browser itself is offline, and is asked for again', () => {
    const offline = nextSession(newSession, { type: 'no user found', isOnline: false, notice: null })
    expect(offline).toEqual({ state: 'offline' })
    expect(nextSession(offline, { type: 'asked again' })).toEqual({ state: 'loading' })
  })

  it('is cleared by a logout, without a notice [SHELL-059]', () => {
    expect(nextSession(signedIn, { type: 'signed out' })).toEqual(signedOut)
  })

  it('tells a user, and only a user, that it ended', () => {
    expect(nextSession(signedIn, { type: 'session ended' })).toEqual({ state: 'signed out', notice: SESSION_ENDED })
    expect(nextSession(newSession, { type: 'session ended' })).toBe(newSession)
    expect(nextSession(signedOut, { type: 'session ended' })).toBe(signedOut)
  })
})
