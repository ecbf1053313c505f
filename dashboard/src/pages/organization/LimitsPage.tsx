import { PageHeader } from '../../parts/PageHeader.tsx'

export function LimitsPage() {
  return <PageHeader title="Limits" />
}
