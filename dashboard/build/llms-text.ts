import { DOCS_SECTIONS, pathOf } from './docs-pages.ts'
import { BASE_URL_MARK } from './links.ts'
import type { RenderedPage } from './render-site.ts'

/** What a language model should read first (llmstxt.org): what the service is, and where each page lies as Markdown. */
export function llmsText(docs: readonly RenderedPage[]): string {
  const sections = DOCS_SECTIONS.map(({ title, pages }) => {
    const links = pages.map((page) => {
      const description = docs.find((each) => each.page === page)?.rendered.description ?? ''
      return `- [${page.label}](${BASE_URL_MARK}${pathOf(page)}.md): ${description}`
    })
    return `## ${title}\n\n${links.join('\n')}\n`
  })
  return `# Scheduling Slots

> Open health-care appointment slots of many publishers (SMART Scheduling Links, FHIR R4) behind one HTTP API.

- The API: \`GET ${BASE_URL_MARK}/v1/scheduling/slots\` with \`Authorization: Bearer <API_KEY>\`. It answers \`{"slots": [...], "total": n}\`.
- All of it as OpenAPI 3.1: ${BASE_URL_MARK}/openapi.json
- Keys are free and are made by a person in the dashboard: ${BASE_URL_MARK}/app/sign-up. Never put one into source control or into client-side code.
- It books nothing and holds no patient data: the \`bookingDeepLink\` of a slot leads to where it is booked.

${sections.join('\n')}`
}
