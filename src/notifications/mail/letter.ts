import { escapeHtml } from '../../lib/text.ts'
import type { Mail } from './mailer.ts'

/** What a mail of ours says: paragraphs, and at most one link to follow. */
export interface Letter {
  readonly to: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly link?: { readonly text: string; readonly href: string }
  /** Stands below the link. */
  readonly afterwards?: string
}

/** The letter as a mail: plain text, and HTML that loads nothing from anywhere. */
export function formatLetter(letter: Letter): Mail {
  // A line break in a name must not begin another header.
  const subject = letter.subject.replace(/\s+/g, ' ')
  return { to: letter.to, subject, text: formatText(letter), html: formatHtml(letter) }
}

function formatText({ paragraphs, link, afterwards }: Letter): string {
  const parts = [
    ...paragraphs,
    ...(link ? [`${link.text}:\n${link.href}`] : []),
    ...(afterwards ? [afterwards] : []),
  ]
  return `${parts.join('\n\n')}\n\n-- \n${SENDER}\n`
}

function formatHtml({ subject, paragraphs, link, afterwards }: Letter): string {
  const body = [
    ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(link ? [formatButton(link)] : []),
    ...(afterwards ? [`<p style="color:#5c5f66">${escapeHtml(afterwards)}</p>`] : []),
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

/** The address is written out below: a button alone hides where it leads. */
function formatButton({ text, href }: { text: string; href: string }): string {
  const address = escapeHtml(href)
  const style =
    'display:inline-block;padding:10px 16px;border-radius:6px;background:#0b7285;color:#fff;text-decoration:none'
  return `<p><a href="${address}" style="${style}">${escapeHtml(text)}</a></p>
<p style="color:#5c5f66;font-size:14px;word-break:break-all">Or open this address: ${address}</p>`
}
