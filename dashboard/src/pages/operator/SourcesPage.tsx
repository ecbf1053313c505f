import { PageHeader } from '../../parts/PageHeader.tsx'

export function SourcesPage() {
  return <PageHeader title="Sources" />
}
