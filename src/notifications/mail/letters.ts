import { formatLetter } from './letter.ts'
import type { Mail } from './mailer.ts'

/** Asks whoever made an account to confirm that the address is theirs. */
export function confirmAddress(to: string, href: string): Mail {
  return formatLetter({
    to,
    subject: 'Confirm your e-mail address',
    paragraphs: ['Somebody, hopefully you, made an account at Scheduling Slots with this e-mail address.'],
    link: { text: 'Confirm the address', href },
    afterwards: `The link works for an hour. If it was not you, ignore this mail: without the link the account cannot be used.`,
  })
}

/** Asks the owner of a new address to confirm it for an account that exists. */
export function confirmNewAddress(to: string, href: string): Mail {
  return formatLetter({
    to,
    subject: 'Confirm your new e-mail address',
    paragraphs: ['You asked to use this e-mail address for your account at Scheduling Slots from now on.'],
    link: { text: 'Use this address', href },
    afterwards:
      'The link works for an hour, in a browser in which you are signed in. If you did not ask for it, ignore this mail.',
  })
}

/** Tells the old address that the account now has another. */
export function addressChanged(to: string, newAddress: string): Mail {
  return formatLetter({
    to,
    subject: 'Your e-mail address was changed',
    paragraphs: [
      `Your account at Scheduling Slots now has the e-mail address ${newAddress}.`,
      'If you did not do this, tell the operator of the service at once: somebody else may be using your account.',
    ],
  })
}

/** Answers a sign-up with an address that has an account. */
export function alreadyRegistered(to: string, links: { signIn: string; forgotPassword: string }): Mail {
  return formatLetter({
    to,
    subject: 'You have an account already',
    paragraphs: [
      'Somebody, hopefully you, wanted to make an account at Scheduling Slots with this e-mail address. There is one already, and nothing about it was changed.',
      `If you do not know its password, make a new one: ${links.forgotPassword}`,
    ],
    link: { text: 'Sign in', href: links.signIn },
    afterwards: 'If it was not you, ignore this mail.',
  })
}

/** Brings a link to choose a new password by. */
export function resetPassword(to: string, href: string): Mail {
  return formatLetter({
    to,
    subject: 'Choose a new password',
    paragraphs: ['Somebody, hopefully you, asked for a new password for your account at Scheduling Slots.'],
    link: { text: 'Choose a new password', href },
    afterwards:
      'The link works once, within an hour. If it was not you, ignore this mail: your password stays as it is.',
  })
}

/** Tells that the account has a new password. */
export function passwordChanged(to: string): Mail {
  return formatLetter({
    to,
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account at Scheduling Slots was changed.',
      'If you did not do this, choose a new password at once by "Forgot password?" on the sign-in page.',
    ],
  })
}

/** Invites somebody into an organization. */
export function invitation(invited: {
  to: string
  link: string
  organization: string
  role: string
  invitedBy: string
  expiresAtMs: number
}): Mail {
  const until = new Date(invited.expiresAtMs).toUTCString()
  return formatLetter({
    to: invited.to,
    subject: `Join ${invited.organization} at Scheduling Slots`,
    paragraphs: [
      `${invited.invitedBy} invites you to join ${invited.organization} at Scheduling Slots, as ${invited.role}.`,
    ],
    link: { text: 'See the invitation', href: invited.link },
    afterwards: `The link is for you alone and works once, until ${until}.`,
  })
}
