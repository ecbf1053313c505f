import { formatMail, type Mail } from './mail-format.ts'

/** Asks the owner of a new account to verify the address. */
export function verifyEmail(to: string, href: string): Mail {
  return formatMail({
    to,
    subject: 'Verify your email address',
    paragraphs: ['An account at Scheduling Slots was created with this email address.'],
    link: { text: 'Verify email address', href },
    footer:
      'The link expires in one hour. If you did not create this account, ignore this email: the account cannot be used until the address is verified.',
  })
}

/** Asks the owner of an account's new address to verify it. */
export function verifyNewEmail(to: string, href: string): Mail {
  return formatMail({
    to,
    subject: 'Verify your new email address',
    paragraphs: ['You asked to change the email address of your Scheduling Slots account to this one.'],
    link: { text: 'Verify email address', href },
    footer:
      'The link expires in one hour and requires that you are signed in. If you did not ask for this change, ignore this email.',
  })
}

/** Notifies the previous address. */
export function emailChanged(to: string, newAddress: string): Mail {
  return formatMail({
    to,
    subject: 'Your email address was changed',
    paragraphs: [
      `The email address of your Scheduling Slots account is now ${newAddress}.`,
      'If you did not make this change, contact the operator of the service immediately: your account may be compromised.',
    ],
  })
}

/** For a sign-up with an address that already has an account. */
export function alreadyRegistered(to: string, links: { signIn: string; forgotPassword: string }): Mail {
  return formatMail({
    to,
    subject: 'You already have an account',
    paragraphs: [
      'A sign-up at Scheduling Slots used this email address, which already has an account. The account was not changed.',
      `If you forgot your password, reset it: ${links.forgotPassword}`,
    ],
    link: { text: 'Sign in', href: links.signIn },
    footer: 'If you did not sign up, ignore this email.',
  })
}

export function resetPassword(to: string, href: string): Mail {
  return formatMail({
    to,
    subject: 'Reset your password',
    paragraphs: ['A password reset was requested for your Scheduling Slots account.'],
    link: { text: 'Reset password', href },
    footer:
      'The link works once and expires in one hour. If you did not request it, ignore this email: your password stays the same.',
  })
}

export function passwordChanged(to: string): Mail {
  return formatMail({
    to,
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your Scheduling Slots account was changed.',
      'If you did not change it, reset it immediately with "Forgot password?" on the sign-in page.',
    ],
  })
}

export function invitation(invited: {
  to: string
  link: string
  organization: string
  role: string
  invitedBy: string
  expiresAtMs: number
}): Mail {
  const until = new Date(invited.expiresAtMs).toUTCString()
  return formatMail({
    to: invited.to,
    subject: `Join ${invited.organization} at Scheduling Slots`,
    paragraphs: [
      `${invited.invitedBy} invites you to join ${invited.organization} at Scheduling Slots, as ${invited.role}.`,
    ],
    link: { text: 'View invitation', href: invited.link },
    footer: `The link is for you only and works once. It expires on ${until}.`,
  })
}
