import { PageHeader } from '../../parts/PageHeader.tsx'

export function HealthPage() {
  return <PageHeader title="Health" />
}
