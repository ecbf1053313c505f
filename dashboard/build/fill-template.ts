/** Fills the `{{names}}` of a template with HTML. Throws on missing values. */
export function fillTemplate(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name) => {
    if (!Object.hasOwn(parts, name)) throw new Error(`Template value {{${name}}} is missing`)
    return parts[name]
  })
}
