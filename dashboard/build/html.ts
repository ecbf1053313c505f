/** Fills the `{{names}}` of a template with HTML. Throws if the template names what is not given. */
export function fillTemplate(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name) => {
    if (!Object.hasOwn(parts, name)) throw new Error(`Cannot fill template: {{${name}}} must be given`)
    return parts[name]
  })
}
