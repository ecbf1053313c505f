import { confirmationRequired, DashboardProblem, sessionRequired } from '../shared/dashboard-problem.ts'
import { textOf } from './auth-request.ts'
import type { Guard } from './guards.ts'
import { CONFIRMED_MS } from './sign-in.ts'

/** Requires a sign-in or a confirmation within `CONFIRMED_MS`, for changes that could give another person lasting access. */
export const requireConfirmation: Guard = async (request, next, { sessions, now }) => {
  const session = await sessions.sessionOf(request.headers)
  if (session === undefined || now() - session.confirmedAtMs < CONFIRMED_MS) return next(request)
  return confirmationRequired().toResponse()
}

/** Records that a user with a session has proved their identity. */
export const recordConfirmation: Guard = async (request, next, { sessions }) => {
  const before = await sessions.sessionOf(request.headers)
  const response = await next(request)
  if (response.ok && before !== undefined) await sessions.confirm(request.headers)
  return response
}

/** Checks the password of the signed-in user, and changes nothing. The failure is better-auth's. */
export const confirmPassword: Guard = async (request, _next, { holder, sessions }) => {
  const session = await sessions.sessionOf(request.headers)
  if (session === undefined) return sessionRequired().toResponse()
  const { internalAdapter, password: hashing } = await holder.current.$context
  const hash = (await internalAdapter.findCredentialAccount(session.userId))?.password
  const password = textOf(request, 'password') ?? ''
  const isCorrect = typeof hash === 'string' && (await hashing.verify({ hash, password }))
  return isCorrect
    ? Response.json({ confirmed: true })
    : Response.json({ code: 'INVALID_PASSWORD', message: 'Incorrect password.' }, { status: 400 })
}

/** A passkey that confirms the identity of a signed-in user must not change who is signed in. */
export const samePerson: Guard = async (request, next, { sessions }) => {
  const before = await sessions.sessionOf(request.headers)
  const response = await next(request)
  const after = await sessions.sessionStartedBy(response)
  if (before === undefined || after === undefined || before.userId === after.userId) return response
  await sessions.withoutSession(response)
  const message = 'This passkey belongs to another account. Sign out first to use it.'
  return new DashboardProblem('forbidden', message).toResponse()
}
