import type { Rendered } from './markdown.ts'

/** A page of the documentation: a Markdown file of the repository and its place on the site. */
export interface DocsPage {
  /** Path from the repository root. */
  readonly source: string
  /** `/docs/<name>`; empty for `/docs` itself. */
  readonly name: string
  /** Navigation label. */
  readonly label: string
}

/** A documentation page with its Markdown and its HTML. */
export interface RenderedPage {
  readonly page: DocsPage
  readonly text: string
  readonly rendered: Rendered
  /** The day of the last change (`YYYY-MM-DD`). Absent if the history is not at hand, or does not tell. */
  readonly changedOn?: string | undefined
}

/** The page whose operations come from the OpenAPI document. */
export const REFERENCE_PAGE: DocsPage = guide('api', 'API reference')

/** The documentation in reading order. */
export const DOCS_SECTIONS: readonly { readonly title: string; readonly pages: readonly DocsPage[] }[] = [
  {
    title: 'Getting started',
    pages: [{ source: 'docs/guide/overview.md', name: '', label: 'Overview' }, guide('quickstart', 'Quickstart')],
  },
  {
    title: 'API',
    pages: [
      REFERENCE_PAGE,
      guide('authentication', 'Authentication'),
      guide('slots', 'Listing slots'),
      guide('pagination', 'Pagination'),
      guide('search-page', 'Building a search page'),
      guide('export', 'Exports'),
      guide('mirroring', 'Mirroring'),
      guide('webhooks', 'Webhooks'),
      guide('republishing', 'Republished feed'),
      guide('client', 'TypeScript client'),
      guide('recipes', 'Recipes'),
      guide('mcp', 'Assistants'),
      { source: 'docs/errors.md', name: 'errors', label: 'Errors' },
      guide('troubleshooting', 'Troubleshooting'),
      guide('limits', 'Limits and pricing'),
      guide('versioning', 'Versioning'),
    ],
  },
  {
    title: 'Dashboard',
    pages: [
      guide('organizations', 'Organizations and roles'),
      guide('key-safety', 'Keeping keys safe'),
      guide('logs', 'Request log'),
      guide('explore', 'Explore'),
      guide('audit', 'Audit log'),
    ],
  },
  {
    title: 'Feeds',
    pages: [
      { source: 'docs/checking-a-feed.md', name: 'checking-a-feed', label: 'Checking a feed' },
      { source: 'docs/importing.md', name: 'importing', label: 'Importing files' },
      { source: 'docs/mapping.md', name: 'mapping', label: 'Field mapping' },
    ],
  },
  {
    title: 'Self-hosting',
    pages: [
      { source: 'docs/adopting.md', name: 'adopting', label: 'Adopting' },
      { source: 'docs/evaluating.md', name: 'evaluating', label: 'Evaluating' },
      guide('self-hosting', 'Self-hosting'),
      guide('slot-directory', 'Run a slot directory'),
      { source: 'docs/configuration.md', name: 'configuration', label: 'Configuration' },
      { source: 'docs/handbook.md', name: 'handbook', label: 'A year of operation' },
      { source: 'docs/operations.md', name: 'operations', label: 'Operations' },
      { source: 'docs/operating-sources.md', name: 'operating-sources', label: 'Operating sources' },
      { source: 'docs/alerts.md', name: 'alerts', label: 'Alerts and status' },
      { source: 'docs/backup.md', name: 'backup', label: 'Store and backups' },
      { source: 'docs/monitoring.md', name: 'monitoring', label: 'Metrics and logs' },
      { source: 'docs/runbooks.md', name: 'runbooks', label: 'Runbooks' },
      { source: 'docs/postgresql.md', name: 'postgresql', label: 'PostgreSQL' },
      { source: 'docs/scaling.md', name: 'scaling', label: 'Scaling' },
      { source: 'SECURITY.md', name: 'security', label: 'Security' },
      { source: 'CHANGELOG.md', name: 'changelog', label: 'Changelog' },
    ],
  },
]

export const DOCS_PAGES: readonly DocsPage[] = DOCS_SECTIONS.flatMap(({ pages }) => pages)

/** The path of a page on the site. */
export function pathOf({ name }: DocsPage): string {
  return name === '' ? '/docs' : `/docs/${name}`
}

function guide(name: string, label: string): DocsPage {
  return { source: `docs/guide/${name}.md`, name, label }
}
