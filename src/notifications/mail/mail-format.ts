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

export interface MailContent {
  readonly to: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly link?: { readonly text: string; readonly href: string }
  /** Text below the link. */
  readonly footer?: string
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
