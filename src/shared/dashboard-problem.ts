import { counted } from '../lib/text.ts'

/** Every error of the dashboard API: its status and title. docs/errors.md has a section for each. */
export const DASHBOARD_PROBLEMS = {
  'invalid-field': { status: 400, title: 'Invalid field' },
  'weak-password': { status: 400, title: 'Weak password' },
  'session-required': { status: 401, title: 'Session required' },
  'invalid-code': { status: 401, title: 'Invalid code' },
  forbidden: { status: 403, title: 'Forbidden' },
  'confirmation-required': { status: 403, title: 'Confirmation required' },
  'second-factor-required': { status: 403, title: 'Second factor required' },
  'organization-suspended': { status: 403, title: 'Organization suspended' },
  'account-suspended': { status: 403, title: 'Account suspended' },
  'sign-up-refused': { status: 403, title: 'Sign-up refused' },
  'address-refused': { status: 403, title: 'Address refused' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'request-timeout': { status: 408, title: 'Request timeout' },
  conflict: { status: 409, title: 'Conflict' },
  'limit-reached': { status: 409, title: 'Limit reached' },
  gone: { status: 410, title: 'Gone' },
  'content-too-large': { status: 413, title: 'Content too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'too-many-attempts': { status: 429, title: 'Too many attempts' },
  'too-many-changes': { status: 429, title: 'Too many changes' },
  'internal-error': { status: 500, title: 'Internal error' },
  'not-ready': { status: 503, title: 'Not ready' },
  'provider-unavailable': { status: 503, title: 'Provider unavailable' },
} as const

export type DashboardProblemCode = keyof typeof DASHBOARD_PROBLEMS

/** An error body of the dashboard API: problem details (RFC 9457), with the code and the invalid field as extensions. */
export interface ProblemDetails {
  /** A reference to the section of the documentation, relative to the dashboard. */
  readonly type: string
  readonly title: string
  readonly status: number
  /** For people: what happened and what to do. */
  readonly detail: string
  readonly code: DashboardProblemCode
  /** The field of the body, or the parameter, that is invalid. */
  readonly field?: string
}

interface ProblemOptions {
  readonly field?: string | undefined
  /** Response headers, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Rejects a request to the dashboard API. The message is for people: it says what happened and what to do. */
export class DashboardProblem extends Error {
  override readonly name = 'DashboardProblem'
  readonly code: DashboardProblemCode
  readonly field: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: DashboardProblemCode, message: string, { field, headers = {} }: ProblemOptions = {}) {
    super(message)
    this.code = code
    this.field = field
    this.headers = headers
  }

  get status(): number {
    return DASHBOARD_PROBLEMS[this.code].status
  }

  get details(): ProblemDetails {
    const { status, title } = DASHBOARD_PROBLEMS[this.code]
    return {
      type: `/docs/errors#${this.code}`,
      title,
      status,
      detail: this.message,
      code: this.code,
      ...(this.field !== undefined && { field: this.field }),
    }
  }

  toResponse(): Response {
    return new Response(JSON.stringify(this.details), {
      status: this.status,
      headers: { ...this.headers, 'content-type': 'application/problem+json' },
    })
  }
}

/** A missing resource, or one of another organization: the response does not reveal which. */
export function notFound(what: string): DashboardProblem {
  return new DashboardProblem('not-found', `This ${what} does not exist.`)
}

/** The value, if there is one. Throws `notFound()`. */
export function orNotFound<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw notFound(what)
  return value
}

/** Rejects a request that contradicts the present state. */
export function conflict(message: string, field?: string): DashboardProblem {
  return new DashboardProblem('conflict', message, { field })
}

/** Rejects a field of the body, or a parameter. */
export function invalidField(message: string, field?: string): DashboardProblem {
  return new DashboardProblem('invalid-field', message, { field })
}

/** `by`: the organization that requires it, or the service. */
export function secondFactorRequired(by = 'This service'): DashboardProblem {
  const message = `${by} requires two-factor authentication. Set it up first.`
  return new DashboardProblem('second-factor-required', message)
}

/** The rejection of a request without a session: an open form can be sent again once there is one. */
export function sessionRequired(): DashboardProblem {
  return new DashboardProblem('session-required', "You're signed out. Use another tab to sign in, then try again.")
}

/** The session may be used by another person: the user has to prove their identity. */
export function confirmationRequired(): DashboardProblem {
  const message =
    'Confirm your identity first: this requires that you signed in or entered your password or a code within the last 15 minutes.'
  return new DashboardProblem('confirmation-required', message)
}

/** Only reading, revoking keys and leaving are allowed. */
export function organizationSuspended(): DashboardProblem {
  const message =
    'This organization is suspended. Until the operator of this service resumes it, you can read everything, revoke keys and leave.'
  return new DashboardProblem('organization-suspended', message)
}

/** A 429 with `Retry-After`. `reason`: one sentence. */
export function throttled(
  code: 'too-many-attempts' | 'too-many-changes',
  reason: string,
  waitMs: number,
): DashboardProblem {
  const seconds = Math.ceil(waitMs / 1000)
  const wait = seconds < 120 ? counted(seconds, 'second') : `${Math.ceil(seconds / 60)} minutes`
  const headers = { 'retry-after': String(seconds) }
  return new DashboardProblem(code, `${reason} Wait ${wait}, then try again.`, { headers })
}

export function internalDashboardError(): DashboardProblem {
  return new DashboardProblem(
    'internal-error',
    'Something went wrong. Try again; if it keeps failing, contact the operator.',
  )
}

export function storeUnavailable(): DashboardProblem {
  const message = 'The database is unavailable. Try again in a few seconds.'
  return new DashboardProblem('not-ready', message, { headers: { 'retry-after': '5' } })
}
