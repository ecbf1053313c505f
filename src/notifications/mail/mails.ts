import { escapeHtml } from '../../lib/text.ts'
import { contactText, type ServiceIdentity } from '../../shared/service-identity.ts'

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
export function verifyEmail(to: string, href: string, service: ServiceIdentity): Mail {
  return formatMail(
    {
      to,
      subject: 'Verify your email address',
      paragraphs: [`An account at ${service.name} was created with this email address.`],
      link: { text: 'Verify email address', href },
      footer:
        'The link expires in one hour. If you did not create this account, ignore this email: the account cannot be used until the address is verified.',
    },
    service,
  )
}

/** Asks the owner of an account's new address to verify it. */
export function verifyNewEmail(to: string, href: string, service: ServiceIdentity): Mail {
  return formatMail(
    {
      to,
      subject: 'Verify your new email address',
      paragraphs: [`You asked to change the email address of your ${service.name} account to this one.`],
      link: { text: 'Verify email address', href },
      footer:
        'The link expires in one hour and requires that you are signed in. If you did not ask for this change, ignore this email.',
    },
    service,
  )
}

/** Notifies the previous address. */
export function emailChanged(to: string, newAddress: string, service: ServiceIdentity): Mail {
  return formatMail(
    {
      to,
      subject: 'Your email address was changed',
      paragraphs: [
        `The email address of your ${service.name} account is now ${newAddress}.`,
        'If you did not make this change, contact the operator of the service immediately: your account may be compromised.',
      ],
    },
    service,
  )
}

/** For a sign-up with an address that already has an account. */
export function alreadyRegistered(
  to: string,
  links: { signIn: string; forgotPassword: string },
  service: ServiceIdentity,
): Mail {
  return formatMail(
    {
      to,
      subject: 'You already have an account',
      paragraphs: [
        `A sign-up at ${service.name} used this email address, which already has an account. The account was not changed.`,
        `If you forgot your password, reset it: ${links.forgotPassword}`,
      ],
      link: { text: 'Sign in', href: links.signIn },
      footer: 'If you did not sign up, ignore this email.',
    },
    service,
  )
}

export function resetPassword(to: string, href: string, service: ServiceIdentity): Mail {
  return formatMail(
    {
      to,
      subject: 'Reset your password',
      paragraphs: [`A password reset was requested for your ${service.name} account.`],
      link: { text: 'Reset password', href },
      footer:
        'The link works once and expires in one hour. If you did not request it, ignore this email: your password stays the same.',
    },
    service,
  )
}

export function passwordChanged(to: string, service: ServiceIdentity): Mail {
  return formatMail(
    {
      to,
      subject: 'Your password was changed',
      paragraphs: [
        `The password of your ${service.name} account was changed.`,
        'If you did not change it, reset it immediately with "Forgot password?" on the sign-in page.',
      ],
    },
    service,
  )
}

export function invitation(invited: {
  to: string
  link: string
  organization: string
  role: string
  invitedBy: string
  expiresAtMs: number
  service: ServiceIdentity
}): Mail {
  const until = new Date(invited.expiresAtMs).toUTCString()
  return formatMail(
    {
      to: invited.to,
      subject: `Join ${invited.organization} at ${invited.service.name}`,
      paragraphs: [
        `${invited.invitedBy} invites you to join ${invited.organization} at ${invited.service.name}, as ${invited.role}.`,
      ],
      link: { text: 'View invitation', href: invited.link },
      footer: `The link is for you only and works once. It expires on ${until}.`,
    },
    invited.service,
  )
}

/** Plain text, and HTML that loads no external content. Both name the service and its contact. */
export function formatMail(content: MailContent, service: ServiceIdentity): Mail {
  // A line break in a name must not start another header.
  const subject = content.subject.replace(/\s+/g, ' ')
  return { to: content.to, subject, text: formatText(content, service), html: formatHtml(content, service) }
}

function formatText({ paragraphs, link, footer }: MailContent, { name, contact }: ServiceIdentity): string {
  const parts = [...paragraphs, ...(link ? [`${link.text}:\n${link.href}`] : []), ...(footer ? [footer] : [])]
  const signature = [name, ...(contact === undefined ? [] : [contactText(contact)])]
  return `${parts.join('\n\n')}\n\n-- \n${signature.join('\n')}\n`
}

function formatHtml({ subject, paragraphs, link, footer }: MailContent, { name, contact }: ServiceIdentity): string {
  const body = [
    ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(link ? [formatButton(link)] : []),
    ...(footer ? [`<p style="color:#5c5f66">${escapeHtml(footer)}</p>`] : []),
    ...(contact ? [formatContact(contact)] : []),
  ]
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;font:16px/1.5 system-ui,sans-serif;color:#1a1b1e">
<div style="max-width:32rem;margin:0 auto;padding:24px;background:#fff;border-radius:8px">
<p style="margin-top:0;font-weight:600">${escapeHtml(name)}</p>
${body.join('\n')}
</div>
</body>
</html>
`
}

function formatContact(contact: string): string {
  const link = `<a href="${escapeHtml(contact)}" style="color:#0b7285">${escapeHtml(contactText(contact))}</a>`
  return `<p style="color:#5c5f66;font-size:14px">Contact: ${link}</p>`
}

/** The address is also written out, because a button hides it. */
function formatButton({ text, href }: { text: string; href: string }): string {
  const address = escapeHtml(href)
  const style =
    'display:inline-block;padding:10px 16px;border-radius:6px;background:#0b7285;color:#fff;text-decoration:none'
  return `<p><a href="${address}" style="${style}">${escapeHtml(text)}</a></p>
<p style="color:#5c5f66;font-size:14px;word-break:break-all">Or open this address: ${address}</p>`
}
