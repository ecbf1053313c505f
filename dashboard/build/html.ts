/** A text as HTML, for content and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Fills the `{{names}}` of a template with HTML. Throws if the template names what is not given. */
export function fillTemplate(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name) => {
    if (!Object.hasOwn(parts, name)) throw new Error(`Cannot fill template: {{${name}}} must be given`)
    return parts[name]
  })
}
