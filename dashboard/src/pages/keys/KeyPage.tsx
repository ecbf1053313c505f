import { PageHeader } from '../../parts/PageHeader.tsx'

export function KeyPage() {
  return <PageHeader title="API key" />
}
