import { PageHeader } from '../../parts/PageHeader.tsx'

export function SourcePage() {
  return <PageHeader title="Source" />
}
