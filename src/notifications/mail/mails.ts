import { escapeHtml } from '../../lib/text.ts'

/** An email to one person. Both bodies have the same content. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** `<…@…>`, if the same mail may be sent again. */
  readonly messageId?: string
}

interface MailContent {
  readonly to: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly link?: { readonly text: string; readonly href: string }
  /** Text below the link. */
  readonly footer?: string
}

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

/** Plain text, and HTML that loads no external content. */
export function formatMail(content: MailContent): Mail {
  // A line break in a name must not start another header.
  const subject = content.subject.replace(/\s+/g, ' ')
  return { to: content.to, subject, text: formatText(content), html: formatHtml(content) }
}

function formatText({ paragraphs, link, footer }: MailContent): string {
  const parts = [...paragraphs, ...(link ? [`${link.text}:\n${link.href}`] : []), ...(footer ? [footer] : [])]
  return `${parts.join('\n\n')}\n\n-- \n${SENDER}\n`
}

function formatHtml({ subject, paragraphs, link, footer }: MailContent): string {
  const body = [
    ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(link ? [formatButton(link)] : []),
    ...(footer ? [`<p style="color:#5c5f66">${escapeHtml(footer)}</p>`] : []),
  ]
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;font:16px/1.5 system-ui,sans-serif;color:#1a1b1e">
<div style="max-width:32rem;margin:0 auto;padding:24px;background:#fff;border-radius:8px">
<p style="margin-top:0;font-weight:600">${SENDER}</p>
${body.join('\n')}
</div>
</body>
</html>
`
}

const SENDER = 'Scheduling Slots'

/** The address is also written out, because a button hides it. */
function formatButton({ text, href }: { text: string; href: string }): string {
  const address = escapeHtml(href)
  const style =
    'display:inline-block;padding:10px 16px;border-radius:6px;background:#0b7285;color:#fff;text-decoration:none'
  return `<p><a href="${address}" style="${style}">${escapeHtml(text)}</a></p>
<p style="color:#5c5f66;font-size:14px;word-break:break-all">Or open this address: ${address}</p>`
}
